unit_test(cfi_table LINK unwind)
unit_test(native_unwind LINK unwind)
unit_test(pe_arm64_unwind LINK unwind)
unit_test(pe_unwind LINK unwind)
