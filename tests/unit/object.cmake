unit_test(demangle LINK object)
unit_test(line_finder LINK object)
unit_test(object LINK object)
unit_test(range_map LINK object)
