/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists in the preprocessor: the number of a macro's arguments, and one macro applied to each. A
 * kernel's name and its parameters are such a list, of at most 64 entries; C11 (5.2.4.1) guarantees
 * 127 arguments, and REAP__COUNT returns many_ from 65 of them on.
 */
#ifndef REAP_DETAIL_LIST_H
#define REAP_DETAIL_LIST_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#define REAP__PASTE_(a, b) a##b
#define REAP__PASTE(a, b) REAP__PASTE_(a, b)
#define REAP__TEXT_(...) #__VA_ARGS__
#define REAP__TEXT(...) REAP__TEXT_(__VA_ARGS__)
#define REAP__SECOND_(first, second, ...) second
#define REAP__SECOND(...) REAP__SECOND_(__VA_ARGS__, ~, ~)
#define REAP__THIRD_(first, second, third, ...) third
#define REAP__THIRD(...) REAP__THIRD_(__VA_ARGS__, ~, ~, ~)
#define REAP__FIRST_(first, ...) first
#define REAP__FIRST(...) REAP__FIRST_(__VA_ARGS__, ~)

#define REAP__PICK_129TH(                                                                          \
    _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20,     \
    _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, _33, _34, _35, _36, _37, _38, _39, \
    _40, _41, _42, _43, _44, _45, _46, _47, _48, _49, _50, _51, _52, _53, _54, _55, _56, _57, _58, \
    _59, _60, _61, _62, _63, _64, _65, _66, _67, _68, _69, _70, _71, _72, _73, _74, _75, _76, _77, \
    _78, _79, _80, _81, _82, _83, _84, _85, _86, _87, _88, _89, _90, _91, _92, _93, _94, _95, _96, \
    _97, _98, _99, _100, _101, _102, _103, _104, _105, _106, _107, _108, _109, _110, _111, _112,   \
    _113, _114, _115, _116, _117, _118, _119, _120, _121, _122, _123, _124, _125, _126, _127,      \
    _128, picked, ...)                                                                             \
    picked
#define REAP__MANY_16                                                                              \
    many_, many_, many_, many_, many_, many_, many_, many_, many_, many_, many_, many_, many_,     \
        many_, many_, many_
#define REAP__MANY_64 REAP__MANY_16, REAP__MANY_16, REAP__MANY_16, REAP__MANY_16
#define REAP__COUNT_(...) REAP__PICK_129TH(__VA_ARGS__)
#define REAP__COUNT(...)                                                                           \
    REAP__COUNT_(__VA_ARGS__, REAP__MANY_64, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52,   \
                 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,   \
                 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,   \
                 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)

/* REAP__EACH(MACRO, context, a, b, ...) is MACRO(context, a) MACRO(context, b) ...; the count in
 * its name includes the context. */
#define REAP__EACH(macro, ...)                                                                     \
    REAP__PASTE(REAP__EACH_, REAP__COUNT(__VA_ARGS__))(macro, __VA_ARGS__)
#define REAP__EACH_1(m, c)
#define REAP__EACH_2(m, c, x) m(c, x)
#define REAP__EACH_3(m, c, x, ...) m(c, x) REAP__EACH_2(m, c, __VA_ARGS__)
#define REAP__EACH_4(m, c, x, ...) m(c, x) REAP__EACH_3(m, c, __VA_ARGS__)
#define REAP__EACH_5(m, c, x, ...) m(c, x) REAP__EACH_4(m, c, __VA_ARGS__)
#define REAP__EACH_6(m, c, x, ...) m(c, x) REAP__EACH_5(m, c, __VA_ARGS__)
#define REAP__EACH_7(m, c, x, ...) m(c, x) REAP__EACH_6(m, c, __VA_ARGS__)
#define REAP__EACH_8(m, c, x, ...) m(c, x) REAP__EACH_7(m, c, __VA_ARGS__)
#define REAP__EACH_9(m, c, x, ...) m(c, x) REAP__EACH_8(m, c, __VA_ARGS__)
#define REAP__EACH_10(m, c, x, ...) m(c, x) REAP__EACH_9(m, c, __VA_ARGS__)
#define REAP__EACH_11(m, c, x, ...) m(c, x) REAP__EACH_10(m, c, __VA_ARGS__)
#define REAP__EACH_12(m, c, x, ...) m(c, x) REAP__EACH_11(m, c, __VA_ARGS__)
#define REAP__EACH_13(m, c, x, ...) m(c, x) REAP__EACH_12(m, c, __VA_ARGS__)
#define REAP__EACH_14(m, c, x, ...) m(c, x) REAP__EACH_13(m, c, __VA_ARGS__)
#define REAP__EACH_15(m, c, x, ...) m(c, x) REAP__EACH_14(m, c, __VA_ARGS__)
#define REAP__EACH_16(m, c, x, ...) m(c, x) REAP__EACH_15(m, c, __VA_ARGS__)
#define REAP__EACH_17(m, c, x, ...) m(c, x) REAP__EACH_16(m, c, __VA_ARGS__)
#define REAP__EACH_18(m, c, x, ...) m(c, x) REAP__EACH_17(m, c, __VA_ARGS__)
#define REAP__EACH_19(m, c, x, ...) m(c, x) REAP__EACH_18(m, c, __VA_ARGS__)
#define REAP__EACH_20(m, c, x, ...) m(c, x) REAP__EACH_19(m, c, __VA_ARGS__)
#define REAP__EACH_21(m, c, x, ...) m(c, x) REAP__EACH_20(m, c, __VA_ARGS__)
#define REAP__EACH_22(m, c, x, ...) m(c, x) REAP__EACH_21(m, c, __VA_ARGS__)
#define REAP__EACH_23(m, c, x, ...) m(c, x) REAP__EACH_22(m, c, __VA_ARGS__)
#define REAP__EACH_24(m, c, x, ...) m(c, x) REAP__EACH_23(m, c, __VA_ARGS__)
#define REAP__EACH_25(m, c, x, ...) m(c, x) REAP__EACH_24(m, c, __VA_ARGS__)
#define REAP__EACH_26(m, c, x, ...) m(c, x) REAP__EACH_25(m, c, __VA_ARGS__)
#define REAP__EACH_27(m, c, x, ...) m(c, x) REAP__EACH_26(m, c, __VA_ARGS__)
#define REAP__EACH_28(m, c, x, ...) m(c, x) REAP__EACH_27(m, c, __VA_ARGS__)
#define REAP__EACH_29(m, c, x, ...) m(c, x) REAP__EACH_28(m, c, __VA_ARGS__)
#define REAP__EACH_30(m, c, x, ...) m(c, x) REAP__EACH_29(m, c, __VA_ARGS__)
#define REAP__EACH_31(m, c, x, ...) m(c, x) REAP__EACH_30(m, c, __VA_ARGS__)
#define REAP__EACH_32(m, c, x, ...) m(c, x) REAP__EACH_31(m, c, __VA_ARGS__)
#define REAP__EACH_33(m, c, x, ...) m(c, x) REAP__EACH_32(m, c, __VA_ARGS__)
#define REAP__EACH_34(m, c, x, ...) m(c, x) REAP__EACH_33(m, c, __VA_ARGS__)
#define REAP__EACH_35(m, c, x, ...) m(c, x) REAP__EACH_34(m, c, __VA_ARGS__)
#define REAP__EACH_36(m, c, x, ...) m(c, x) REAP__EACH_35(m, c, __VA_ARGS__)
#define REAP__EACH_37(m, c, x, ...) m(c, x) REAP__EACH_36(m, c, __VA_ARGS__)
#define REAP__EACH_38(m, c, x, ...) m(c, x) REAP__EACH_37(m, c, __VA_ARGS__)
#define REAP__EACH_39(m, c, x, ...) m(c, x) REAP__EACH_38(m, c, __VA_ARGS__)
#define REAP__EACH_40(m, c, x, ...) m(c, x) REAP__EACH_39(m, c, __VA_ARGS__)
#define REAP__EACH_41(m, c, x, ...) m(c, x) REAP__EACH_40(m, c, __VA_ARGS__)
#define REAP__EACH_42(m, c, x, ...) m(c, x) REAP__EACH_41(m, c, __VA_ARGS__)
#define REAP__EACH_43(m, c, x, ...) m(c, x) REAP__EACH_42(m, c, __VA_ARGS__)
#define REAP__EACH_44(m, c, x, ...) m(c, x) REAP__EACH_43(m, c, __VA_ARGS__)
#define REAP__EACH_45(m, c, x, ...) m(c, x) REAP__EACH_44(m, c, __VA_ARGS__)
#define REAP__EACH_46(m, c, x, ...) m(c, x) REAP__EACH_45(m, c, __VA_ARGS__)
#define REAP__EACH_47(m, c, x, ...) m(c, x) REAP__EACH_46(m, c, __VA_ARGS__)
#define REAP__EACH_48(m, c, x, ...) m(c, x) REAP__EACH_47(m, c, __VA_ARGS__)
#define REAP__EACH_49(m, c, x, ...) m(c, x) REAP__EACH_48(m, c, __VA_ARGS__)
#define REAP__EACH_50(m, c, x, ...) m(c, x) REAP__EACH_49(m, c, __VA_ARGS__)
#define REAP__EACH_51(m, c, x, ...) m(c, x) REAP__EACH_50(m, c, __VA_ARGS__)
#define REAP__EACH_52(m, c, x, ...) m(c, x) REAP__EACH_51(m, c, __VA_ARGS__)
#define REAP__EACH_53(m, c, x, ...) m(c, x) REAP__EACH_52(m, c, __VA_ARGS__)
#define REAP__EACH_54(m, c, x, ...) m(c, x) REAP__EACH_53(m, c, __VA_ARGS__)
#define REAP__EACH_55(m, c, x, ...) m(c, x) REAP__EACH_54(m, c, __VA_ARGS__)
#define REAP__EACH_56(m, c, x, ...) m(c, x) REAP__EACH_55(m, c, __VA_ARGS__)
#define REAP__EACH_57(m, c, x, ...) m(c, x) REAP__EACH_56(m, c, __VA_ARGS__)
#define REAP__EACH_58(m, c, x, ...) m(c, x) REAP__EACH_57(m, c, __VA_ARGS__)
#define REAP__EACH_59(m, c, x, ...) m(c, x) REAP__EACH_58(m, c, __VA_ARGS__)
#define REAP__EACH_60(m, c, x, ...) m(c, x) REAP__EACH_59(m, c, __VA_ARGS__)
#define REAP__EACH_61(m, c, x, ...) m(c, x) REAP__EACH_60(m, c, __VA_ARGS__)
#define REAP__EACH_62(m, c, x, ...) m(c, x) REAP__EACH_61(m, c, __VA_ARGS__)
#define REAP__EACH_63(m, c, x, ...) m(c, x) REAP__EACH_62(m, c, __VA_ARGS__)
#define REAP__EACH_64(m, c, x, ...) m(c, x) REAP__EACH_63(m, c, __VA_ARGS__)

/* REAP__OVER(prefix, a, b, ..., ~), of a list that REAP__COUNT has counted with the mark at its end
 * and that begins with the macro of that number, is prefix##a prefix##b ... */
#define REAP__OVER(prefix, ...) REAP__OVER_BY(prefix, __VA_ARGS__)
#define REAP__OVER_BY(prefix, over, ...) over(prefix, __VA_ARGS__)
#define REAP__OVER_1(f, mark)
#define REAP__OVER_2(f, x, ...) f##x REAP__OVER_1(f, __VA_ARGS__)
#define REAP__OVER_3(f, x, ...) f##x REAP__OVER_2(f, __VA_ARGS__)
#define REAP__OVER_4(f, x, ...) f##x REAP__OVER_3(f, __VA_ARGS__)
#define REAP__OVER_5(f, x, ...) f##x REAP__OVER_4(f, __VA_ARGS__)
#define REAP__OVER_6(f, x, ...) f##x REAP__OVER_5(f, __VA_ARGS__)
#define REAP__OVER_7(f, x, ...) f##x REAP__OVER_6(f, __VA_ARGS__)
#define REAP__OVER_8(f, x, ...) f##x REAP__OVER_7(f, __VA_ARGS__)
#define REAP__OVER_9(f, x, ...) f##x REAP__OVER_8(f, __VA_ARGS__)
#define REAP__OVER_10(f, x, ...) f##x REAP__OVER_9(f, __VA_ARGS__)
#define REAP__OVER_11(f, x, ...) f##x REAP__OVER_10(f, __VA_ARGS__)
#define REAP__OVER_12(f, x, ...) f##x REAP__OVER_11(f, __VA_ARGS__)
#define REAP__OVER_13(f, x, ...) f##x REAP__OVER_12(f, __VA_ARGS__)
#define REAP__OVER_14(f, x, ...) f##x REAP__OVER_13(f, __VA_ARGS__)
#define REAP__OVER_15(f, x, ...) f##x REAP__OVER_14(f, __VA_ARGS__)
#define REAP__OVER_16(f, x, ...) f##x REAP__OVER_15(f, __VA_ARGS__)
#define REAP__OVER_17(f, x, ...) f##x REAP__OVER_16(f, __VA_ARGS__)
#define REAP__OVER_18(f, x, ...) f##x REAP__OVER_17(f, __VA_ARGS__)
#define REAP__OVER_19(f, x, ...) f##x REAP__OVER_18(f, __VA_ARGS__)
#define REAP__OVER_20(f, x, ...) f##x REAP__OVER_19(f, __VA_ARGS__)
#define REAP__OVER_21(f, x, ...) f##x REAP__OVER_20(f, __VA_ARGS__)
#define REAP__OVER_22(f, x, ...) f##x REAP__OVER_21(f, __VA_ARGS__)
#define REAP__OVER_23(f, x, ...) f##x REAP__OVER_22(f, __VA_ARGS__)
#define REAP__OVER_24(f, x, ...) f##x REAP__OVER_23(f, __VA_ARGS__)
#define REAP__OVER_25(f, x, ...) f##x REAP__OVER_24(f, __VA_ARGS__)
#define REAP__OVER_26(f, x, ...) f##x REAP__OVER_25(f, __VA_ARGS__)
#define REAP__OVER_27(f, x, ...) f##x REAP__OVER_26(f, __VA_ARGS__)
#define REAP__OVER_28(f, x, ...) f##x REAP__OVER_27(f, __VA_ARGS__)
#define REAP__OVER_29(f, x, ...) f##x REAP__OVER_28(f, __VA_ARGS__)
#define REAP__OVER_30(f, x, ...) f##x REAP__OVER_29(f, __VA_ARGS__)
#define REAP__OVER_31(f, x, ...) f##x REAP__OVER_30(f, __VA_ARGS__)
#define REAP__OVER_32(f, x, ...) f##x REAP__OVER_31(f, __VA_ARGS__)
#define REAP__OVER_33(f, x, ...) f##x REAP__OVER_32(f, __VA_ARGS__)
#define REAP__OVER_34(f, x, ...) f##x REAP__OVER_33(f, __VA_ARGS__)
#define REAP__OVER_35(f, x, ...) f##x REAP__OVER_34(f, __VA_ARGS__)
#define REAP__OVER_36(f, x, ...) f##x REAP__OVER_35(f, __VA_ARGS__)
#define REAP__OVER_37(f, x, ...) f##x REAP__OVER_36(f, __VA_ARGS__)
#define REAP__OVER_38(f, x, ...) f##x REAP__OVER_37(f, __VA_ARGS__)
#define REAP__OVER_39(f, x, ...) f##x REAP__OVER_38(f, __VA_ARGS__)
#define REAP__OVER_40(f, x, ...) f##x REAP__OVER_39(f, __VA_ARGS__)
#define REAP__OVER_41(f, x, ...) f##x REAP__OVER_40(f, __VA_ARGS__)
#define REAP__OVER_42(f, x, ...) f##x REAP__OVER_41(f, __VA_ARGS__)
#define REAP__OVER_43(f, x, ...) f##x REAP__OVER_42(f, __VA_ARGS__)
#define REAP__OVER_44(f, x, ...) f##x REAP__OVER_43(f, __VA_ARGS__)
#define REAP__OVER_45(f, x, ...) f##x REAP__OVER_44(f, __VA_ARGS__)
#define REAP__OVER_46(f, x, ...) f##x REAP__OVER_45(f, __VA_ARGS__)
#define REAP__OVER_47(f, x, ...) f##x REAP__OVER_46(f, __VA_ARGS__)
#define REAP__OVER_48(f, x, ...) f##x REAP__OVER_47(f, __VA_ARGS__)
#define REAP__OVER_49(f, x, ...) f##x REAP__OVER_48(f, __VA_ARGS__)
#define REAP__OVER_50(f, x, ...) f##x REAP__OVER_49(f, __VA_ARGS__)
#define REAP__OVER_51(f, x, ...) f##x REAP__OVER_50(f, __VA_ARGS__)
#define REAP__OVER_52(f, x, ...) f##x REAP__OVER_51(f, __VA_ARGS__)
#define REAP__OVER_53(f, x, ...) f##x REAP__OVER_52(f, __VA_ARGS__)
#define REAP__OVER_54(f, x, ...) f##x REAP__OVER_53(f, __VA_ARGS__)
#define REAP__OVER_55(f, x, ...) f##x REAP__OVER_54(f, __VA_ARGS__)
#define REAP__OVER_56(f, x, ...) f##x REAP__OVER_55(f, __VA_ARGS__)
#define REAP__OVER_57(f, x, ...) f##x REAP__OVER_56(f, __VA_ARGS__)
#define REAP__OVER_58(f, x, ...) f##x REAP__OVER_57(f, __VA_ARGS__)
#define REAP__OVER_59(f, x, ...) f##x REAP__OVER_58(f, __VA_ARGS__)
#define REAP__OVER_60(f, x, ...) f##x REAP__OVER_59(f, __VA_ARGS__)
#define REAP__OVER_61(f, x, ...) f##x REAP__OVER_60(f, __VA_ARGS__)
#define REAP__OVER_62(f, x, ...) f##x REAP__OVER_61(f, __VA_ARGS__)
#define REAP__OVER_63(f, x, ...) f##x REAP__OVER_62(f, __VA_ARGS__)
#define REAP__OVER_64(f, x, ...) f##x REAP__OVER_63(f, __VA_ARGS__)

/* The second or third argument: whether such a list is empty. */
#define REAP__IF_EMPTY(list, empty, full)                                                          \
    REAP__PASTE(REAP__WHEN_, REAP__SECOND(REAP__PASTE(REAP__IS_, REAP__FIRST list), full_))        \
    (empty, full)
#define REAP__IS_REAP__OVER_1 ~, empty_
#define REAP__WHEN_empty_(empty, full) empty
#define REAP__WHEN_full_(empty, full) full

#endif
