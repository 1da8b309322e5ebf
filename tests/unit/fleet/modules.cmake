unit_test(fleet_batch LINK fleet)
