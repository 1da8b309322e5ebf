unit_test(perf_format LINK record)
