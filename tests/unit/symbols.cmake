unit_test(readable_name LINK symbols)
