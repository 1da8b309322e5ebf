unit_test(chain_cache LINK session)
unit_test(recording LINK session)
unit_test(sample_sums LINK session)
