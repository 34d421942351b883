"""Words that carry no content, in English and Chinese, and words so common that sharing one says little."""

# Never indexed, never searched.
ENGLISH = frozenset(
    """
    a an the and or but nor if then else than so too very just also only even yet
    of to in on at by for with from as into onto over under about between through during
    after before above below up down out off again further once per via
    is are was were be been being am do does did doing done have has had having
    can could will would shall should may might must ought
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    this that these those here there what which who whom whose when where why how
    all any both each few more most other some such own same every
    no not s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
    tell please let got get
    """.split()  # noqa: SIM905 - a list of words reads better as text
)

CHINESE = frozenset(
    """
    的 了 着 过 地 得 吗 呢 吧 啊 呀 哦 嗯 嘛 哈 么 之 其 而 且 或 与 和 及 跟 同 在 于 从 到
    向 对 把 被 让 给 由 以 为 因
    是 有 就 都 也 还 又 再 很 太 更 最 才 只 便 即 却 但 若 如 则 虽 所 者 个 些 这 那 哪 此 该 每 各 某 本
    我 你 您 他 她 它 们 咱 谁 自己 我们 你们 他们 她们 它们 咱们 大家 人家
    什么 怎么 怎样 如何 为何 多少 哪里 哪儿 哪个 哪些 几个 什 怎 哪样 为什么 是否 是不是 有没有
    这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 一个 一些 一下 一样 有些 有点
    可以 可能 应该 需要 能够 因为 所以 但是 而且 如果 虽然 然后 或者 并且 以及 不过 只是 就是 还是 都是 也是 于是
    请问 请 帮我 告诉 知道 一 上 下 中 里 时 说 要 会 能 去 来 不 没 没有
    """.split()  # noqa: SIM905 - a list of words reads better as text
)

# Indexed, but a question's weight rests on its other words.
COMMON_ENGLISH = frozenset(
    """
    go goes going went gone come comes coming came make makes making made take takes taking took give gives giving gave
    use uses using used want wants wanted need needs needed like likes liked love loves loved prefer prefers
    know knows knew think thinks thought feel feels felt look looks looking looked see sees saw find finds found
    say says said ask asks asked talk talked call called keep keeps kept put puts work works working worked play plays
    try tries tried start started begin began stop stopped help helps helped plan plans planned recommend suggest
    happen happens happened change changes changed miss missing missed spend spends spent live lives lived
    thing things something anything someone anyone people person way ways kind type sort place lot bit part
    time times day days week weeks month months year years today tomorrow yesterday tonight morning evening night
    last next first new old good better best great nice big small little long short many much favorite favourite
    currently recently usually always never ever often already still back now name one two
    """.split()  # noqa: SIM905
)

COMMON_CHINESE = frozenset(
    """
    喜欢 想要 觉得 认为 希望 打算 准备 开始 结束 使用 进行 推荐 建议 介绍 发生 改变 注意
    时候 时间 今天 明天 昨天 现在 最近 以前 以后 之前 之后 每天 每周 每年 每月 去年 今年 明年 上周 下周
    周末 平时 一直 经常 通常
    东西 事情 地方 方面 问题 情况 方式 样子 种类 公司 工作 生活 朋友 家里 名字 一起 第一
    年 月 日 天 次 家 人 事 用 做 看 好 大 小 多 新 想 喜 欢
    """.split()  # noqa: SIM905
)

# A pair of characters with one of these is seldom a word: "鲸是", "是什".
PARTICLES = frozenset("的了着过吗呢吧啊嘛么是在和与跟及或就都也还又很太被把让给我你您他她它们谁这那哪什怎有没")
