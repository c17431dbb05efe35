"""The words by which an extract knows what a sentence is about, in English, Spanish and Chinese.

Each table is one expression. Words of Latin letters count whole; Chinese has no spaces, so its words count anywhere.
"""

from __future__ import annotations

import re
from typing import Final


def _any(*, latin: str, chinese: str) -> re.Pattern[str]:
    """An expression for any of the words, which are set apart by white space; `_` stands for a blank."""
    words = "|".join(latin.split()).replace("_", " ")
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|(?:{'|'.join(chinese.split())})", re.IGNORECASE)


FORBIDDEN: Final = _any(
    latin=r"""
    do_not (?<!\bi_)don['’]?t (?<!\bi_)never must_not mustn['’]t may_not (?<!\bi_)cannot should_not shouldn['’]t
    not_allowed forbidden avoid no_(?:new|more|other|extra|further|longer|need|unit|mocks?|tests?|changes?|commits?)
    (?<=[,;(]_)no_\w+ nothing_else instead_of rather_than leave_.{1,40}?_(?:alone|as) stay_as(?:_\w+)? hands_off
    off[-_]limits stop_\w+ing without_(?:a|an|any|the|new|\w+ing) nobody not_more_than
    no_(?:\w+(?:es|as|en|an|emos|amos)|debe\w*|puede\w*|hay_que|se_(?:debe|puede|toca|cambia)\w*|m[áa]s_\w+)
    nunca jam[áa]s evit\w+ prohibid\w+ en_(?:vez|lugar)_de sin_\w+ nada_de nadie
    """,
    chinese="""
    不要 别(?!的|人) 不许 不准 不得 不能 不可 不应 不改 不用 不动 不碰 不再 不允许 禁止 严禁
    切勿 勿 避免 而不是 千万 从不 绝不
    """,
)
DEMANDED: Final = _any(
    latin=r"""
    must always (?<!there's_)only prefer(?:red|ably|s)? make_sure ensure at_(?:most|least) no_more_than no_less_than
    mandatory under_\d\S* within_\d\S* (?:is|are)_allowed stick_to require[sd]?
    siempre s[óo]lo solamente [úu]nicamente prefiero preferi\w+ aseg[úu]r\w+ obligatori\w+ a_lo_sumo
    como_(?:m[áa]ximo|m[íi]nimo) al_menos
    """,
    chinese="""
    必须 务必 只(?:能|用|要|改|准|许|在|读|看|支持|保留|需)? 总是 始终 一定 优先 尽量 至少 至多 最多
    不超过 最好 仅
    """,
)
WANTED: Final = _any(
    latin=r"""
    has_to have_to needs_to need_to should exactly keep i_want we_want needs fully like_it_to
    debe[ns]? deber[íi]an? tiene[ns]?_que hay_que quiero queremos exactamente mant[ée]n\w* necesit\w+
    """,
    chinese="应该 应当 需要 保持 要求 希望 要用",
)
TEMPORARY: Final = _any(
    latin=r"""
    for_now for_the_time_being temporar(?:y|ily) at_the_moment for_the_moment provisional(?:ly|mente)? not_yet
    not_.{1,40}?_yet until_later until_then as_a_stopgap interim
    por_ahora de_momento por_el_momento temporal(?:mente)? provisori\w+ mientras_tanto todav[íi]a_no a[úu]n_no
    """,
    chinese="""
    先这样 先这么 先不 先用 先别 先放 暂时 暂且 暂不 目前先 现阶段 临时 以后再 后面再 之后再
    回头再 稍后再
    """,
)
DEFERRED: Final = _any(
    latin=r"""
    to-dos? todos? open_points? left_to_do follow-?ups? not_done_yet next_steps? later still_(?:to_do|open|missing)
    remains_to pendientes? m[áa]s_(?:adelante|tarde) pr[óo]ximos?_pasos? siguientes?_pasos? queda[n]?_por luego
    falta[n]?
    """,
    chinese="下一步 待办 剩下 还需 还要 尚未 以后 之后再 后面 稍后 随后 未完成",
)
COMING: Final = _any(
    latin=r"""
    next_(?:i|up|comes?|is|we) then_i i['’]ll i_will still_(?:needs?|have|has) afterwards
    despu[ée]s voy_a ahora_voy
    """,
    chinese="接下来 然后 还没 还有 我会 我将",
)
HEDGED: Final = _any(
    latin=r"""
    might maybe perhaps probably likely i_(?:guess|bet|assume) my_guess looks_like seems? if should could would_explain
    quiz[áa]s? tal_vez probablemente parece podr[íi]an?
    """,
    chinese="可能 也许 大概 似乎 如果 看起来",
)
INTENDED: Final = _any(
    latin=r"""
    i['’]ll i_will i_am_going_to i['’]m_going_to let_me now_i next_i then_i first_the let['’]s
    i_(?:run|look|start|change|begin|write|move|add|go) now_(?:the|let['’]?s|fix|update|add|run|check|do)
    voy_a vamos_a ahora(?:_\w+)? har[ée] empiezo sigo primero
    """,
    chinese="我会 我将 我来 我先 让我 现在 接着 然后 准备 开始",
)
DECIDED: Final = _any(
    latin=r"""
    i['’]ll_(?:use|keep|go_with|take|put|map|make|store) (?:i|we)_will_(?:use|keep|go_with|take)
    we['’]ll_(?:use|keep|go_with) decided? decision chose chosen choose trade-?off accepted not_worth go_with
    i_would(?:_not|n['’]t)
    let['’]s_(?:use|go_with|keep|take|make|do|not|stick) best_solution cleanest the_right_(?:fix|place|way)
    i_(?:used?|took|kept|left|put|had_to|would_take|suggest|propose|removed|replaced|moved|set)
    decid(?:o|[íi]|imos|ido) decisi[óo]n eleg\w+ elij\w+ usar[ée](?:mos)? usamos prefiero preferimos propongo i_prefer
    """,
    chinese="决定 选择 采用 改用 换成 建议 使用 用的是",
)
EXPLAINED: Final = _any(
    latin=r"because so_that instead_of rather_than as_wanted porque en_(?:vez|lugar)_de as[íi]_que ya_que para_que",
    chinese="因为 而不是 所以 以免",
)
PROPOSED: Final = _any(
    latin=r"""
    shall_i should_i should_we want_me_to do_you_want would_you_like i_suggest i_would(?:_not)? i['’]d i_propose
    recommend\w* option_\w+ we_could we_can cleanest best_solution
    propongo sugiero quieres te_parece podr[íi]amos podemos recomiendo
    """,
    chinese="要不要 需要我 建议 可以考虑 我会建议 是否 好吗 行吗",
)
CONFIRMED: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|ok(?:ay)?|good|great|perfect|fine|sure|right|agreed|exactly|take it|do it|do that|go ahead|"
    r"go for it|sounds good|please do|lgtm|s[íi]|vale|de acuerdo|perfecto|hazlo|adelante|dale|bien|claro|"
    r"好|行|可以|同意|没问题|就这样|对|是的|嗯)(?!\w{3})",
    re.IGNORECASE,
)
TURNED: Final = re.compile(
    r"^\W*(?:no|nope|wait|stop|actually|hm+|forget|undo|revert|instead|rather|never ?mind|not that|don['’]?t|espera|"
    r"mejor|olvida|para|deja|cambio|en realidad|不|别|算了|等等|停|其实|改成|换成)(?![a-z])|"
    r"(?<!\w)(?:instead|change of plan|on second thought|scratch that|en (?:vez|lugar) de|cambio de plan)(?!\w)|"
    r"换一|重新|改为",
    re.IGNORECASE,
)
FINISHED: Final = _any(
    latin=r"""
    ^done all_done fixed finished complete[sd]? added ported works? working pass(?:es|ed)? written implemented moved
    removed renamed updated created replaced committed in_place builds? all_green compiles? clean converted merged
    changed released listo hecho terminad[oa]s? a[ñn]adid[oa]s? corregid[oa]s? pasan? funciona\w* cread[oa]s? complet\w+
    arreglad[oa]s?
    """,
    chinese="完成 已经 搞定 好了 修好 修复了 通过 加好 写好 改好 成功 已添加 已修改 已更新",
)
DENIED: Final = _any(
    latin=r"""
    not_(?:yet|done|work\w*|pass\w*|fixed|finished|changed) nothing_was fails? failed failing failure still broken
    isn['’]t doesn['’]t didn['’]t should_be does_not do_not did_not errors? would unfortunately
    no_(?:funciona\w*|pasan?) falla[n]? fall[óo] errores? todav[íi]a a[úu]n
    """,
    chinese="失败 没有 还没 尚未 不行 报错 错误 未",
)
REASON: Final = re.compile(
    r",?\s+(?=(?:because|since|so that|porque|ya que|para que)\s)|[，,]?(?=因为|以免|这样才)", re.IGNORECASE
)
FACT: Final = re.compile(
    r"https?://\S{4,}|(?<![\w.])[\w./-]+\.[A-Za-z]{1,5}:\d+|(?<!\w)#[0-9a-fA-F]{6}(?!\w)|"
    r"(?<![\w#/-])(?=[0-9A-Fa-f]*\d)(?=\d*[A-Fa-f])[0-9A-Fa-f]{6}(?!\w)|"
    r"(?<![\w.])\d[\d,.]*\s?(?:ms|s|sec(?:onds)?|min(?:utes)?|h|hours|days?|KB|MB|GB|TB|MiB|GiB|kB|%|tokens?|rows?|lines?|"
    r"bytes|requests|retries|segundos?|minutos?|horas?|d[íi]as?|filas?|l[íi]neas?|毫秒|秒|分钟|小时|天|行|个|次|条)(?![A-Za-z])|"
    r"(?:port|puerto|端口)\s*[:=]?\s*\d{2,5}|(?:localhost|\d+\.\d+\.\d+\.\d+):\d{2,5}|"
    r"(?<![\w.])v?\d+\.\d+\.\d+(?![\w.])|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\bp(?:50|9[059]|99\.?9?)\b|\b[45]\d\d\b|"
    r"\b\w+(?:Error|Exception)\b|\b[a-z_]+=[\d.]+\b|\bE[A-Z]{4,}\b|(?<![\w/])(?:~|/)[\w.@-]+(?:/[\w.@-]+)+",
)
SUBJECT: Final = re.compile(
    r"^(?:\w+ )?(`[^`]+`)\s*(?:\([^)]*\)\s*)?(?:[:=→]|->|is\b|are\b|now\b|uses\b|from\b|改|现在)"
)
"""A sentence about what a thing is now: a later one about the same thing overtakes it."""
CODE: Final = re.compile(r"`[^`\n]{2,80}`")


def questions(sentence: str) -> bool:
    """Whether a sentence is a question."""
    return sentence.rstrip("\"'”’)*_` ").endswith(("?", "？"))
