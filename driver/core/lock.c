// SPDX-License-Identifier: Apache-2.0

#include "driver/core/lock.h"

bool driver_lock_take(struct driver_lock *lock, driver_client client, bool force)
{
	bool is_free = lock->owner == DRIVER_CLIENT_NONE || lock->owner == client;
	if (!is_free && !force)
		return false;
	lock->owner = client;
	return true;
}

bool driver_lock_drop(struct driver_lock *lock, driver_client client)
{
	if (!driver_lock_is_held_by(lock, client))
		return false;
	lock->owner = DRIVER_CLIENT_NONE;
	return true;
}

bool driver_lock_is_held_by(const struct driver_lock *lock, driver_client client)
{
	return client != DRIVER_CLIENT_NONE && lock->owner == client;
}
