unit_test(counts LINK profile)
unit_test(named_profile LINK profile)
unit_test(stack_table LINK profile)
