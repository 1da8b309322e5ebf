target_link_libraries(test_server PRIVATE server)
unit_test(server_routes)
unit_test(sha256)
unit_test(tenant_place)
