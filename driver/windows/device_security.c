// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/device_security.h"

enum { REVISION = 1, REVISION_OF_ACL = 2, ALLOW = 0, NT_AUTHORITY = 5 };
enum { SYSTEM_RID = 18, BUILTIN_RID = 32, ADMINISTRATORS_RID = 544 };
enum { DACL_PRESENT = 0x0004, DACL_PROTECTED = 0x1000, SELF_RELATIVE = 0x8000 };
#define ALL_ACCESS 0x001f01ffu

enum { MAX_RIDS = 2 };

struct ace {
	uint8_t type, flags;
	uint16_t size;
	uint32_t mask;
	uint8_t revision, num_rids, authority[6];
	uint32_t rids[MAX_RIDS];
};

struct acl {
	uint8_t revision, padding;
	uint16_t size, num_aces, padding2;
	struct ace administrators;
	struct ace system; // behind it one of its rids is left over
};

// D:P(A;;FA;;;BA)(A;;FA;;;SY), as the system keeps it.
static const struct descriptor {
	uint8_t revision, padding;
	uint16_t control;
	uint32_t owner, group, sacl, dacl; // where they are
	struct acl acl;
} descriptor = {
	.revision = REVISION,
	.control = DACL_PRESENT | DACL_PROTECTED | SELF_RELATIVE,
	.dacl = offsetof(struct descriptor, acl),
	.acl =
		{
			.revision = REVISION_OF_ACL,
			.size = sizeof(struct acl),
			.num_aces = 2,
			.administrators =
				{
					.type = ALLOW,
					.size = sizeof(struct ace),
					.mask = ALL_ACCESS,
					.revision = REVISION,
					.num_rids = 2,
					.authority = {0, 0, 0, 0, 0, NT_AUTHORITY},
					.rids = {BUILTIN_RID, ADMINISTRATORS_RID},
				},
			.system =
				{
					.type = ALLOW,
					.size = sizeof(struct ace) - sizeof(uint32_t),
					.mask = ALL_ACCESS,
					.revision = REVISION,
					.num_rids = 1,
					.authority = {0, 0, 0, 0, 0, NT_AUTHORITY},
					.rids = {SYSTEM_RID},
				},
		},
};

// Of headers that come with file systems only.
NTSTATUS NTAPI ObOpenObjectByPointer(void *object, ULONG attributes, void *access_state,
				     ACCESS_MASK access, void *type, KPROCESSOR_MODE mode,
				     HANDLE *ret);
NTSTATUS NTAPI ZwSetSecurityObject(HANDLE handle, SECURITY_INFORMATION what, void *descriptor);

NTSTATUS device_security_set(DEVICE_OBJECT *object)
{
	PAGED_CODE();
	HANDLE handle;
	NTSTATUS status = ObOpenObjectByPointer(object, OBJ_KERNEL_HANDLE, NULL, WRITE_DAC, NULL,
						KernelMode, &handle);
	if (!NT_SUCCESS(status))
		return status;
	status = ZwSetSecurityObject(handle, DACL_SECURITY_INFORMATION, (void *)&descriptor);
	ZwClose(handle);
	return status;
}
