unit_test(module_file LINK symbols)
unit_test(process_code LINK symbols)
