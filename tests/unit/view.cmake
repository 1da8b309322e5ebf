unit_test(decimal LINK view)
unit_test(json_writer LINK view PkgConfig::JANSSON)
unit_test(manual LINK view)
unit_test(safe_text LINK view)
unit_test(style LINK view)
unit_test(utf8 LINK view)
# The test decides when this one finds no memory.
unit_test(table LINK view -Wl,--wrap=arena_strdup)
