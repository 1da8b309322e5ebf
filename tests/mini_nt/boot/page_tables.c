// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/boot/page_tables.h"

#include "tests/baremetal/sysreg.h"
#include "tests/mini_nt/boot/layout.h"

// Of the Arm ARM, "Translation table descriptor formats": tables of 512 entries, for 512 GiB, 1
// GiB, 2 MiB and 4 KiB an entry.

enum { NUM_ENTRIES = 512, PAGE_SHIFT = 12, BLOCK_SHIFT = 21 };

#define IS_TABLE       UINT64_C(3)
#define IS_BLOCK       UINT64_C(1)
#define IS_PAGE        UINT64_C(3)
#define OF_MEMORY      (UINT64_C(1) << 2) // the attribute of MAIR_EL1
#define OF_USER        (UINT64_C(1) << 6) // AP
#define READ_ONLY      (UINT64_C(1) << 7)
#define SHARED         (UINT64_C(3) << 8)
#define ACCESSED       (UINT64_C(1) << 10)
#define NOT_FOR_KERNEL (UINT64_C(1) << 53) // PXN
#define NOT_FOR_USER   (UINT64_C(1) << 54) // UXN
#define NO_CODE        (NOT_FOR_KERNEL | NOT_FOR_USER)
#define NORMAL         (OF_MEMORY | SHARED | ACCESSED)
#define FIRST_RAM      UINT64_C(0x40000000)

typedef uint64_t page_table[NUM_ENTRIES];

#define ALIGNED __attribute__((aligned(4096)))

ALIGNED page_table page_tables_kernel, page_tables_boot;
static ALIGNED page_table boot_gigabytes, user_table;
static ALIGNED page_table kernel_gigabytes, kernel_blocks, driver_pages, stack_pages;
static ALIGNED page_table user_gigabytes, user_blocks, user_pages;

static void set_block(uint64_t physical, page_table table)
{
	kernel_blocks[(physical - FIRST_RAM) >> BLOCK_SHIFT] = (uint64_t)table | IS_TABLE;
}

// Addresses are physical here, as everything is addressed relative to where it runs.
void page_tables_fill(void)
{
	page_tables_kernel[0] = (uint64_t)kernel_gigabytes | IS_TABLE;
	kernel_gigabytes[0] = ACCESSED | NO_CODE | IS_BLOCK; // devices
	kernel_gigabytes[1] = (uint64_t)kernel_blocks | IS_TABLE;
	for (uint64_t i = 0; i < NUM_ENTRIES; i++)
		kernel_blocks[i] =
			(FIRST_RAM + (i << BLOCK_SHIFT)) | NORMAL | NOT_FOR_USER | IS_BLOCK;
	set_block(LAYOUT_DRIVER_IMAGE, driver_pages);
	set_block(LAYOUT_STACKS, stack_pages);
	for (uint64_t i = 0; i < NUM_ENTRIES; i++) {
		// The lowest page of each stack is missing.
		uint64_t physical = LAYOUT_STACKS + (i << PAGE_SHIFT);
		stack_pages[i] =
			physical % LAYOUT_STACK_BYTES ? physical | NORMAL | NO_CODE | IS_PAGE : 0;
	}
	page_tables_boot[0] = (uint64_t)boot_gigabytes | IS_TABLE;
	boot_gigabytes[1] = FIRST_RAM | NORMAL | NOT_FOR_USER | IS_BLOCK;
	user_table[0] = (uint64_t)user_gigabytes | IS_TABLE;
	user_gigabytes[0] = (uint64_t)user_blocks | IS_TABLE;
	user_blocks[LAYOUT_USER_VIRTUAL >> BLOCK_SHIFT] = (uint64_t)user_pages | IS_TABLE;
}

static void forget_translations(void)
{
	__asm__ volatile("dsb ishst\n\ttlbi vmalle1is\n\tdsb ish\n\tisb" ::: "memory");
}

void page_tables_end_boot(void)
{
	SYSREG_WRITE(ttbr0_el1, (uint64_t)user_table - LAYOUT_HIGH);
	forget_translations();
}

static uint64_t bits_of(enum page_rights rights)
{
	switch (rights) {
	case PAGE_DATA:
		return NORMAL | NO_CODE | IS_PAGE;
	case PAGE_CONSTANTS:
		return NORMAL | NO_CODE | READ_ONLY | IS_PAGE;
	case PAGE_CODE:
		return NORMAL | NOT_FOR_USER | READ_ONLY | IS_PAGE;
	case PAGE_USER_DATA:
		return NORMAL | NO_CODE | OF_USER | IS_PAGE;
	case PAGE_USER_CODE:
		return NORMAL | NOT_FOR_KERNEL | READ_ONLY | OF_USER | IS_PAGE;
	default:
		return 0;
	}
}

void page_tables_set(uint64_t physical, enum page_rights rights)
{
	uint64_t *pages = driver_pages;
	if (physical >= LAYOUT_USER)
		pages = user_pages;
	else if (physical >= LAYOUT_STACKS)
		pages = stack_pages;
	uint64_t bits = bits_of(rights);
	pages[physical >> PAGE_SHIFT & (NUM_ENTRIES - 1)] = bits ? physical | bits : 0;
	forget_translations();
}
