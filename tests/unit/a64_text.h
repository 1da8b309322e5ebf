/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_A64_TEXT_H
#define WPERF_TESTS_UNIT_A64_TEXT_H

/**
 * The classes of an A64 instruction once more, by its name and its operands as LLVM writes them
 * and without a look at its bits. Include behind cmocka.h.
 */

#include "base/container/array.h"
#include "driver/emulator/a64_class.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** What the operands add to what the name says. */
enum a64_text_rule {
	AS_IT_IS,
	OR_OF_SVE,         /* it is SVE, too, with registers of SVE or SME */
	CRYPTO_BESIDE_SVE, /* its twin in SVE is not cryptographic */
	DATA_PROCESSING,   /* integers in general registers, else SIMD */
	FLOATING_POINT,    /* scalars, else SIMD */
	CONVERSION,        /* to or from general registers, else SIMD */
	ACQUIRING,         /* if it is not the zero register that is loaded */
	CACHE,             /* one that zeroes memory processes no data */
};

#define IS(class) (1u << A64_##class)

// By the manual's lists of mnemonics; those up to LLVM 19's are there.
static const struct a64_text_row {
	uint32_t classes;
	enum a64_text_rule rule;
	const char *names; /* one that ends in '.' is followed by a condition */
} a64_text_rows[] = {
	{IS(BRANCH_IMMED), AS_IT_IS, "b"},
	{IS(BRANCH_IMMED) | IS(BRANCH_CONDITIONAL), AS_IT_IS, "b. bc. cbnz cbz tbnz tbz"},
	{IS(BRANCH_IMMED) | IS(BRANCH_LINK), AS_IT_IS, "bl"},
	{IS(BRANCH_INDIRECT), AS_IT_IS, "br braa braaz brab brabz"},
	{IS(BRANCH_INDIRECT) | IS(BRANCH_LINK), AS_IT_IS, "blr blraa blraaz blrab blrabz"},
	{IS(BRANCH_INDIRECT) | IS(BRANCH_RETURN), AS_IT_IS,
	 "ret retaa retaasppc retaasppcr retab retabsppc retabsppcr"},
	{IS(ISB), AS_IT_IS, "isb"},
	{IS(DSB), AS_IT_IS, "dfb dsb pssbb ssbb"},
	{IS(DMB), AS_IT_IS, "dmb"},
	{IS(SVC), AS_IT_IS, "svc"},
	{IS(HVC), AS_IT_IS, "hvc"},
	{IS(SMC), AS_IT_IS, "smc"},
	{IS(BREAKPOINT), AS_IT_IS, "brk hlt"},
	{IS(HINT) | IS(DATA), AS_IT_IS,
	 "autia1716 autiasp autiaz autib1716 autibsp autibz bti chkfeat clrbhb csdb dgh esb "
	 "gcsb hint nop pacia1716 paciasp paciaz pacib1716 pacibsp pacibz pacm psb sev sevl "
	 "tsb wfe wfi xpaclri yield"},
	{IS(SYSTEM) | IS(DATA), CACHE, "dc"},
	{IS(SYSTEM) | IS(DATA), AS_IT_IS,
	 "at brb cfp cosp cpp dvp gcspopcx gcspopm gcspopx gcspushm gcspushx gcsss1 gcsss2 ic "
	 "mrrs mrs msr msrr smstart smstop sys sysl sysp tlbi tlbip trcit wfet wfit"},
	{IS(SYSTEM), AS_IT_IS,
	 "clrex dcps1 dcps2 dcps3 drps eret eretaa eretab sb tcancel tcommit tstart ttest"},
	{0, AS_IT_IS, "udf"},
	{IS(PREFETCH), OR_OF_SVE, "prfb prfd prfh prfm prfum prfw rprfm"},
	{IS(LOAD) | IS(LOAD_EXCLUSIVE), AS_IT_IS, "ldxp ldxr ldxrb ldxrh"},
	{IS(LOAD) | IS(LOAD_EXCLUSIVE) | IS(LOAD_ACQUIRE), AS_IT_IS, "ldaxp ldaxr ldaxrb ldaxrh"},
	{IS(STORE) | IS(STORE_EXCLUSIVE), AS_IT_IS, "stxp stxr stxrb stxrh"},
	{IS(STORE) | IS(STORE_EXCLUSIVE) | IS(STORE_RELEASE), AS_IT_IS,
	 "stlxp stlxr stlxrb stlxrh"},
	{IS(LOAD) | IS(LOAD_ACQUIRE), AS_IT_IS,
	 "ldap1 ldapr ldaprb ldaprh ldapur ldapurb ldapurh ldapursb ldapursh ldapursw ldar "
	 "ldarb ldarh ldiapp ldlar ldlarb ldlarh"},
	{IS(STORE) | IS(STORE_RELEASE), AS_IT_IS,
	 "stilp stl1 stllr stllrb stllrh stlr stlrb stlrh stlur stlurb stlurh"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC), AS_IT_IS,
	 "cas casb cash casp ldadd ldaddb ldaddh ldclr ldclrb ldclrh ldclrp ldeor ldeorb "
	 "ldeorh ldset ldsetb ldseth ldsetp ldsmax ldsmaxb ldsmaxh ldsmin ldsminb ldsminh "
	 "ldumax ldumaxb ldumaxh ldumin lduminb lduminh rcwcas rcwcasp rcwclr rcwclrp rcwscas "
	 "rcwscasp rcwsclr rcwsclrp rcwset rcwsetp rcwsset rcwssetp rcwsswp rcwsswpp rcwswp "
	 "rcwswpp stadd staddb staddh stclr stclrb stclrh steor steorb steorh stset stsetb "
	 "stseth stsmax stsmaxb stsmaxh stsmin stsminb stsminh stumax stumaxb stumaxh stumin "
	 "stuminb stuminh swp swpb swph swpp"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC) | IS(LOAD_ACQUIRE), AS_IT_IS,
	 "casa casab casah caspa ldclrpa ldsetpa rcwcasa rcwcaspa rcwclra rcwclrpa rcwscasa "
	 "rcwscaspa rcwsclra rcwsclrpa rcwseta rcwsetpa rcwsseta rcwssetpa rcwsswpa rcwsswppa "
	 "rcwswpa rcwswppa swppa"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC) | IS(STORE_RELEASE), AS_IT_IS,
	 "casl caslb caslh caspl ldaddl ldaddlb ldaddlh ldclrl ldclrlb ldclrlh ldclrpl ldeorl "
	 "ldeorlb ldeorlh ldsetl ldsetlb ldsetlh ldsetpl ldsmaxl ldsmaxlb ldsmaxlh ldsminl "
	 "ldsminlb ldsminlh ldumaxl ldumaxlb ldumaxlh lduminl lduminlb lduminlh rcwcasl "
	 "rcwcaspl rcwclrl rcwclrpl rcwscasl rcwscaspl rcwsclrl rcwsclrpl rcwsetl rcwsetpl "
	 "rcwssetl rcwssetpl rcwsswpl rcwsswppl rcwswpl rcwswppl staddl staddlb staddlh stclrl "
	 "stclrlb stclrlh steorl steorlb steorlh stsetl stsetlb stsetlh stsmaxl stsmaxlb "
	 "stsmaxlh stsminl stsminlb stsminlh stumaxl stumaxlb stumaxlh stuminl stuminlb "
	 "stuminlh swpl swplb swplh swppl"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC) | IS(LOAD_ACQUIRE) | IS(STORE_RELEASE), AS_IT_IS,
	 "casal casalb casalh caspal ldclrpal ldsetpal rcwcasal rcwcaspal rcwclral rcwclrpal "
	 "rcwscasal rcwscaspal rcwsclral rcwsclrpal rcwsetal rcwsetpal rcwssetal rcwssetpal "
	 "rcwsswpal rcwsswppal rcwswpal rcwswppal swppal"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC) | IS(LOAD_ACQUIRE), ACQUIRING,
	 "ldadda ldaddab ldaddah ldclra ldclrab ldclrah ldeora ldeorab ldeorah ldseta ldsetab "
	 "ldsetah ldsmaxa ldsmaxab ldsmaxah ldsmina ldsminab ldsminah ldumaxa ldumaxab "
	 "ldumaxah ldumina lduminab lduminah swpa swpab swpah"},
	{IS(LOAD) | IS(STORE) | IS(ATOMIC) | IS(LOAD_ACQUIRE) | IS(STORE_RELEASE), ACQUIRING,
	 "ldaddal ldaddalb ldaddalh ldclral ldclralb ldclralh ldeoral ldeoralb ldeoralh "
	 "ldsetal ldsetalb ldsetalh ldsmaxal ldsmaxalb ldsmaxalh ldsminal ldsminalb ldsminalh "
	 "ldumaxal ldumaxalb ldumaxalh lduminal lduminalb lduminalh swpal swpalb swpalh"},
	{IS(LOAD) | IS(STORE), AS_IT_IS,
	 "cpye cpyen cpyern cpyert cpyertn cpyertrn cpyertwn cpyet cpyetn cpyetrn cpyetwn "
	 "cpyewn cpyewt cpyewtn cpyewtrn cpyewtwn cpyfe cpyfen cpyfern cpyfert cpyfertn "
	 "cpyfertrn cpyfertwn cpyfet cpyfetn cpyfetrn cpyfetwn cpyfewn cpyfewt cpyfewtn "
	 "cpyfewtrn cpyfewtwn cpyfm cpyfmn cpyfmrn cpyfmrt cpyfmrtn cpyfmrtrn cpyfmrtwn cpyfmt "
	 "cpyfmtn cpyfmtrn cpyfmtwn cpyfmwn cpyfmwt cpyfmwtn cpyfmwtrn cpyfmwtwn cpyfp cpyfpn "
	 "cpyfprn cpyfprt cpyfprtn cpyfprtrn cpyfprtwn cpyfpt cpyfptn cpyfptrn cpyfptwn "
	 "cpyfpwn cpyfpwt cpyfpwtn cpyfpwtrn cpyfpwtwn cpym cpymn cpymrn cpymrt cpymrtn "
	 "cpymrtrn cpymrtwn cpymt cpymtn cpymtrn cpymtwn cpymwn cpymwt cpymwtn cpymwtrn "
	 "cpymwtwn cpyp cpypn cpyprn cpyprt cpyprtn cpyprtrn cpyprtwn cpypt cpyptn cpyptrn "
	 "cpyptwn cpypwn cpypwt cpypwtn cpypwtrn cpypwtwn"},
	{IS(STORE), OR_OF_SVE,
	 "gcsstr gcssttr sete seten setet setetn setge setgen setget setgetn setgm setgmn "
	 "setgmt setgmtn setgp setgpn setgpt setgptn setm setmn setmt setmtn setp setpn setpt "
	 "setptn st1 st1b st1d st1h st1q st1w st2 st2b st2d st2g st2h st2q st2w st3 st3b st3d "
	 "st3h st3q st3w st4 st4b st4d st4h st4q st4w st64b st64bv st64bv0 stg stgm stgp stnp "
	 "stnt1b stnt1d stnt1h stnt1w stp str strb strh sttr sttrb sttrh stur sturb sturh "
	 "stz2g stzg stzgm"},
	{IS(LOAD), OR_OF_SVE,
	 "ld1 ld1b ld1d ld1h ld1q ld1r ld1rb ld1rd ld1rh ld1rob ld1rod ld1roh ld1row ld1rqb "
	 "ld1rqd ld1rqh ld1rqw ld1rsb ld1rsh ld1rsw ld1rw ld1sb ld1sh ld1sw ld1w ld2 ld2b ld2d "
	 "ld2h ld2q ld2r ld2w ld3 ld3b ld3d ld3h ld3q ld3r ld3w ld4 ld4b ld4d ld4h ld4q ld4r "
	 "ld4w ld64b ldff1b ldff1d ldff1h ldff1sb ldff1sh ldff1sw ldff1w ldg ldgm ldnf1b "
	 "ldnf1d ldnf1h ldnf1sb ldnf1sh ldnf1sw ldnf1w ldnp ldnt1b ldnt1d ldnt1h ldnt1sb "
	 "ldnt1sh ldnt1sw ldnt1w ldp ldpsw ldr ldraa ldrab ldrb ldrh ldrsb ldrsh ldrsw ldtr "
	 "ldtrb ldtrh ldtrsb ldtrsh ldtrsw ldur ldurb ldurh ldursb ldursh ldursw"},
	{IS(CRYPTO), CRYPTO_BESIDE_SVE, "bcax eor3 xar"},
	{IS(CRYPTO), OR_OF_SVE,
	 "aesd aese aesimc aesmc rax1 sha1c sha1h sha1m sha1p sha1su0 sha1su1 sha256h sha256h2 "
	 "sha256su0 sha256su1 sha512h sha512h2 sha512su0 sha512su1 sm3partw1 sm3partw2 sm3ss1 "
	 "sm3tt1a sm3tt1b sm3tt2a sm3tt2b sm4e sm4ekey"},
	{0, CONVERSION,
	 "fcvtas fcvtau fcvtms fcvtmu fcvtns fcvtnu fcvtps fcvtpu fcvtzs fcvtzu scvtf ucvtf"},
	{0, FLOATING_POINT,
	 "bfcvt fabs fadd fccmp fccmpe fcmp fcmpe fcsel fcvt fdiv fjcvtzs fmadd fmax fmaxnm "
	 "fmin fminnm fmov fmsub fmul fneg fnmadd fnmsub fnmul frint32x frint32z frint64x "
	 "frint64z frinta frinti frintm frintn frintp frintx frintz fsqrt fsub"},
	{0, DATA_PROCESSING,
	 "abs adc adcs add addg addhn addhn2 addp addpt adds addv adr adrp and ands asr autda "
	 "autdb autdza autdzb autia autiasppc autib autibsppc autibsppcr autiza autizb axflag "
	 "bf1cvtl bf1cvtl2 bf2cvtl bf2cvtl2 bfc bfcvtn bfcvtn2 bfdot bfi bfmlalb bfmlalt "
	 "bfmmla bfxil bic bics bif bit bsl ccmn ccmp cfinv cinc cinv cls clz cmeq cmge cmgt "
	 "cmhi cmhs cmle cmlt cmn cmp cmtst cneg cnt crc32b crc32cb crc32ch crc32cw crc32cx "
	 "crc32h crc32w crc32x csel cset csetm csinc csinv csneg ctz dup eon eor ext extr "
	 "f1cvtl f1cvtl2 f2cvtl f2cvtl2 fabd facge facgt faddp famax famin fcadd fcmeq fcmge "
	 "fcmgt fcmla fcmle fcmlt fcvtl fcvtl2 fcvtn fcvtn2 fcvtxn fcvtxn2 fdot fmaxnmp "
	 "fmaxnmv fmaxp fmaxv fminnmp fminnmv fminp fminv fmla fmlal fmlal2 fmlalb fmlallbb "
	 "fmlallbt fmlalltb fmlalltt fmlalt fmls fmlsl fmlsl2 fmulx frecpe frecps frecpx "
	 "frsqrte frsqrts fscale gmi irg lsl lsr luti2 luti4 madd maddpt mla mls mneg mov movi "
	 "movk movn movz msub msubpt mul mvn mvni neg negs ngc ngcs orn orr pacda pacdb pacdza "
	 "pacdzb pacga pacia pacib paciza pacizb pmul pmull pmull2 raddhn raddhn2 rbit rev "
	 "rev16 rev32 rev64 rmif ror rshrn rshrn2 rsubhn rsubhn2 saba sabal sabal2 sabd sabdl "
	 "sabdl2 sadalp saddl saddl2 saddlp saddlv saddw saddw2 sbc sbcs sbfiz sbfx sdiv sdot "
	 "shadd shl shll shll2 shrn shrn2 shsub sli smaddl smax smaxp smaxv smin sminp sminv "
	 "smlal smlal2 smlsl smlsl2 smmla smnegl smov smsubl smulh smull smull2 sqabs sqadd "
	 "sqdmlal sqdmlal2 sqdmlsl sqdmlsl2 sqdmulh sqdmull sqdmull2 sqneg sqrdmlah sqrdmlsh "
	 "sqrdmulh sqrshl sqrshrn sqrshrn2 sqrshrun sqrshrun2 sqshl sqshlu sqshrn sqshrn2 "
	 "sqshrun sqshrun2 sqsub sqxtn sqxtn2 sqxtun sqxtun2 srhadd sri srshl srshr srsra sshl "
	 "sshll sshll2 sshr ssra ssubl ssubl2 ssubw ssubw2 sub subg subhn subhn2 subp subps "
	 "subpt subs sudot suqadd sxtb sxth sxtw tbl tbx trn1 trn2 tst uaba uabal uabal2 uabd "
	 "uabdl uabdl2 uadalp uaddl uaddl2 uaddlp uaddlv uaddw uaddw2 ubfiz ubfx udiv udot "
	 "uhadd uhsub umaddl umax umaxp umaxv umin uminp uminv umlal umlal2 umlsl umlsl2 ummla "
	 "umnegl umov umsubl umulh umull umull2 uqadd uqrshl uqrshrn uqrshrn2 uqshl uqshrn "
	 "uqshrn2 uqsub uqxtn uqxtn2 urecpe urhadd urshl urshr ursqrte ursra usdot ushl ushll "
	 "ushll2 ushr usmmla usqadd usra usubl usubl2 usubw usubw2 uxtb uxth uzp1 uzp2 xaflag "
	 "xpacd xpaci xtn xtn2 zip1 zip2"},
	{IS(SVE), AS_IT_IS,
	 "adclb adclt addha addhnb addhnt addpl addqv addspl addsvl addva addvl andqv andv "
	 "asrd asrr bdep bext bf1cvt bf1cvtlt bf2cvt bf2cvtlt bfadd bfclamp bfcvtnt bfmax "
	 "bfmaxnm bfmin bfminnm bfmla bfmlal bfmls bfmlsl bfmlslb bfmlslt bfmopa bfmops bfmul "
	 "bfsub bfvdot bgrp bmopa bmops brka brkas brkb brkbs brkn brkns brkpa brkpas brkpb "
	 "brkpbs bsl1n bsl2n cadd cdot clasta clastb cmla cmpeq cmpge cmpgt cmphi cmphs cmple "
	 "cmplo cmpls cmplt cmpne cnot cntb cntd cnth cntp cntw compact ctermeq ctermne decb "
	 "decd dech decp decw dupm dupq eorbt eorqv eors eortb eorv extq f1cvt f1cvtlt f2cvt "
	 "f2cvtlt fadda faddqv faddv fclamp fcmne fcmuo fcvtlt fcvtnb fcvtnt fcvtx fcvtxnt "
	 "fdivr fexpa flogb fmad fmaxnmqv fmaxqv fminnmqv fminqv fmlall fmlslb fmlslt fmmla "
	 "fmopa fmops fmsb fnmad fnmla fnmls fnmsb fsubr ftmad ftsmul ftssel fvdot fvdotb "
	 "fvdott histcnt histseg incb incd inch incp incw index insr lasta lastb lslr lsrr mad "
	 "madpt match mlapt movaz movprfx movs movt msb nand nands nbsl nmatch nor nors not "
	 "nots orns orqv orrs orv pext pfalse pfirst pmov pmullb pmullt pnext psel ptest ptrue "
	 "ptrues punpkhi punpklo raddhnb raddhnt rdffr rdffrs rdsvl rdvl revb revd revh revw "
	 "rshrnb rshrnt rsubhnb rsubhnt sabalb sabalt sabdlb sabdlt saddlb saddlbt saddlt "
	 "saddv saddwb saddwt sbclb sbclt sclamp sdivr sel setffr shrnb shrnt shsubr smaxqv "
	 "sminqv smlalb smlall smlalt smlslb smlsll smlslt smopa smops smullb smullt splice "
	 "sqcadd sqcvt sqcvtn sqcvtu sqcvtun sqdecb sqdecd sqdech sqdecp sqdecw sqdmlalb "
	 "sqdmlalbt sqdmlalt sqdmlslb sqdmlslbt sqdmlslt sqdmullb sqdmullt sqincb sqincd "
	 "sqinch sqincp sqincw sqrdcmlah sqrshlr sqrshr sqrshrnb sqrshrnt sqrshru sqrshrunb "
	 "sqrshrunt sqshlr sqshrnb sqshrnt sqshrunb sqshrunt sqsubr sqxtnb sqxtnt sqxtunb "
	 "sqxtunt srshlr sshllb sshllt ssublb ssublbt ssublt ssubltb ssubwb ssubwt subhnb "
	 "subhnt subr sumlall sumopa sumops sunpk sunpkhi sunpklo suvdot svdot tblq tbxq "
	 "uabalb uabalt uabdlb uabdlt uaddlb uaddlt uaddv uaddwb uaddwt uclamp udivr uhsubr "
	 "umaxqv uminqv umlalb umlall umlalt umlslb umlsll umlslt umopa umops umullb umullt "
	 "uqcvt uqcvtn uqdecb uqdecd uqdech uqdecp uqdecw uqincb uqincd uqinch uqincp uqincw "
	 "uqrshlr uqrshr uqrshrnb uqrshrnt uqshlr uqshrnb uqshrnt uqsubr uqxtnb uqxtnt urshlr "
	 "ushllb ushllt usmlall usmopa usmops usublb usublt usubwb usubwt usvdot uunpk uunpkhi "
	 "uunpklo uvdot uxtw uzp uzpq1 uzpq2 whilege whilegt whilehi whilehs whilele whilelo "
	 "whilels whilelt whilerw whilewr wrffr zero zip zipq1 zipq2"},
};

struct a64_text_name {
	char name[16];
	bool was_met; /* by a64_text_classes() */
	const struct a64_text_row *row;
};

/** Sorted by name. */
struct a64_text_names {
	struct a64_text_name *items;
	size_t num_items, cap_items;
};

static int a64_text_compare(const void *a, const void *b)
{
	return strcmp(((const struct a64_text_name *)a)->name,
		      ((const struct a64_text_name *)b)->name);
}

static void a64_text_add(struct a64_text_names *names, const char *name, size_t length,
			 const struct a64_text_row *row)
{
	assert_null(array_reserve(&names->items, &names->cap_items, names->num_items + 1));
	struct a64_text_name *item = &names->items[names->num_items++];
	*item = (struct a64_text_name){.row = row};
	assert_true(length < sizeof(item->name));
	memcpy(item->name, name, length);
}

static void a64_text_names_init(struct a64_text_names *names)
{
	*names = (struct a64_text_names){0};
	for (size_t i = 0; i < ARRAY_SIZE(a64_text_rows); i++) {
		const char *name = a64_text_rows[i].names;
		while (*name) {
			size_t length = strcspn(name, " ");
			a64_text_add(names, name, length, &a64_text_rows[i]);
			name += length + (name[length] == ' ');
		}
	}
	qsort(names->items, names->num_items, sizeof(names->items[0]), a64_text_compare);
	for (size_t i = 1; i < names->num_items; i++)
		assert_string_not_equal(names->items[i - 1].name, names->items[i].name);
}

static void a64_text_names_deinit(struct a64_text_names *names)
{
	free(names->items);
}

/** Which kinds of registers there are among the operands. */
struct a64_registers {
	bool general, scalar, vector, scalable;
};

/** @token: "x0", "za0h.b", "#0x10", "pldl1keep", ... */
static void a64_note_register(struct a64_registers *registers, const char *token, size_t length)
{
	bool numbered = length > 1 && isdigit(token[1]);
	if (length > 1 && token[0] == 'z' && strchr("at", token[1]))
		registers->scalable = true; // ZA, ZT0
	else if (length > 2 && !strncmp(token, "pn", 2) && isdigit(token[2]))
		registers->scalable = true;
	else if (numbered && strchr("zp", token[0]))
		registers->scalable = true;
	else if (numbered && token[0] == 'v')
		registers->vector = true;
	else if (numbered && strchr("bhsdq", token[0]))
		registers->scalar = true;
	else if (numbered && strchr("wx", token[0]))
		registers->general = true;
	else if (length == 3 && (!strncmp(token, "wzr", 3) || !strncmp(token, "xzr", 3)))
		registers->general = true;
}

static struct a64_registers a64_registers_of(const char *operands)
{
	struct a64_registers registers = {0};
	while (*operands) {
		size_t length = strcspn(operands, " \t,[]{}!");
		a64_note_register(&registers, operands, length);
		operands += length + (operands[length] != 0);
	}
	return registers;
}

static uint32_t a64_simd(struct a64_registers registers, uint32_t otherwise)
{
	if (registers.scalable)
		return IS(SVE);
	return registers.vector || registers.scalar ? IS(ASE) : otherwise;
}

static uint32_t a64_floating_point(struct a64_registers registers)
{
	// "fmov x0, v1.d[1]" moves one element as a scalar.
	bool is_simd = registers.scalable || (registers.vector && !registers.general);
	return is_simd ? a64_simd(registers, 0) : IS(VFP);
}

static uint32_t a64_conversion(struct a64_registers registers)
{
	return registers.general && !registers.scalable ? IS(VFP) : a64_simd(registers, 0);
}

static bool loads_nothing(const char *operands)
{
	return strstr(operands, ", wzr, [") || strstr(operands, ", xzr, [");
}

static bool zeroes_memory(const char *operands)
{
	static const char *const names[] = {"zva,", "gva,", "gzva,"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strncmp(operands, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

static uint32_t a64_apply(const struct a64_text_row *row, const char *operands)
{
	struct a64_registers registers = a64_registers_of(operands);
	switch (row->rule) {
	case OR_OF_SVE:
		return row->classes | (registers.scalable ? IS(SVE) : 0);
	case CRYPTO_BESIDE_SVE:
		return registers.scalable ? IS(SVE) : row->classes;
	case DATA_PROCESSING:
		return a64_simd(registers, IS(DATA));
	case FLOATING_POINT:
		return a64_floating_point(registers);
	case CONVERSION:
		return a64_conversion(registers);
	case ACQUIRING:
		return row->classes & ~(loads_nothing(operands) ? IS(LOAD_ACQUIRE) : 0);
	case CACHE:
		return row->classes & ~(zeroes_memory(operands) ? IS(DATA) : 0);
	default:
		return row->classes;
	}
}

/** False if the name is in none of the rows. */
static bool a64_text_classes(struct a64_text_names *names, const char *text, uint32_t *ret)
{
	size_t length = strcspn(text, " \t");
	const char *operands = text + length + strspn(text + length, " \t");
	const char *condition = memchr(text, '.', length);
	if (condition)
		length = (size_t)(condition - text) + 1;
	struct a64_text_name key = {0};
	if (length >= sizeof(key.name))
		return false;
	memcpy(key.name, text, length);
	struct a64_text_name *found =
		bsearch(&key, names->items, names->num_items, sizeof(key), a64_text_compare);
	if (!found)
		return false;
	found->was_met = true;
	*ret = a64_apply(found->row, operands);
	return true;
}

#endif
