unit_test(chain_cache LINK session)
unit_test(recording LINK session)
