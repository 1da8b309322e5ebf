unit_test(fleet_batch LINK fleet)
unit_test(store LINK fleet)
unit_test(store_window LINK fleet)
