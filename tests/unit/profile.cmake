unit_test(counts LINK profile)
