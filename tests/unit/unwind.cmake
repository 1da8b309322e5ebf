unit_test(cfi_table LINK unwind)
unit_test(native_unwind LINK unwind)
