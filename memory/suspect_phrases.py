"""Wordings by which orders to an agent are known, by kind: forged authority, standing orders, mark-up of a prompt and the like.

What is made of single words in any order, in many languages, stands in `suspect_words`.
"""

import re
from dataclasses import dataclass
from typing import Literal

Where = Literal["any", "data"]


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """One kind of suspicious text."""

    rule: str
    reason: str
    patterns: tuple[re.Pattern[str], ...]
    where: Where = "any"
    """`data`: only in tool output, documents and the like, which have no business giving orders."""


def screen_rule(rule: str, reason: str, *patterns: str, where: Where = "any") -> ScreenRule:
    """A kind of suspicious text, from its wordings."""
    return ScreenRule(rule, reason, tuple(re.compile(p, re.IGNORECASE) for p in patterns), where)


_GAP = r"[^。！？!?\n]"
_RULES_ZH = r"(?:规则|指令|指示|设定|提示词?|限制|约束|准则|规定|禁令|守则|命令)"
_CHECK_ZH = (
    r"(?:审批|审核|复核|验证(?!码)|确认|核验|核对|校验|风控|安全检查|检查|人工|双签|签字|复查|验真|查验|查重|验重)"
)
_GO_AHEAD_ZH = (
    r"(?:(?:直接|自动|一律|默认|全部|全都|无条件|统统|都|即可|秒|立即|马上)(?:给|予以|可以|就|算|地)?"
    r"(?:审核|审批)?(?:直接|自动)?"
    r"(?:通过(?![\u4e00-\u9fffA-Za-z]{2,})|批准|放行|批(?![\u4e00-\u9fff])|过审|付款|转账|打款|付掉|拨款|放款|同意(?![\u4e00-\u9fff]{2,})|报销(?!单|的)))"
)
_OTHERS_DATA_ZH = r"(?:其他|别的|别|所有|全部|全体|每个)(?:的)?(?:用户|客户|人|员工|租户)(?:们)?的?(?:偏好|记录|数据|信息|资料|记忆|聊天|密码|隐私|历史|对话|手机号|地址|名单|内容)"
_NOT_ME_ZH = r"(?<!我)(?<!我们)(?<!他)(?<!她)"
_RULES_EN = r"(?:instructions?|rules?|guidelines?|directives?|prompts?|polic(?:y|ies)|restrictions?|programming|guardrails?|constraints?|commands?)"
_EVERYBODY_EN = r"(?:(?:all|every|no|any|other|the) (?:users?|customers?)|users|nobody|no one|everyone|everybody)"
_CHECK_EN = (
    r"(?:approvals?|verifications?(?! code)|confirmations?|reviews?|(?:security |safety |all |the |any |its |identity |manual )*checks?(?!-in)"
    r"|validations?|authori[sz]ations?|safety|oversight|sign-?offs?|controls)"
)
_ACT_EN = r"(?:approve|authori[sz]e|accept|grant|pay|transfer|wire|release|process|allow|book|reimburse)"
_SENSITIVE_EN = (
    r"(?:credentials?|api keys?|passwords?|secrets?|tokens?|(?:customer|client|user|employee|personal|private|full|all)(?:'s|s)?"
    r" (?:\w+ )?(?:data|list|emails?|records?|details|information|preferences|histor(?:y|ies)|database)|the data|conversation|memor(?:y|ies)|system prompt)"
)
_NOT_ME_EN = r"(?<!\bI )(?<!\bwe )(?<!\bthey )(?<!\bhe )(?<!\bshe )(?<!I always )(?<!I never )(?<!I usually )(?<!we always )(?<!we usually )(?<!I can )(?<!me )(?<!us )"

RULES = (
    screen_rule(
        "screen.override",
        "it tells the agent to drop its instructions",
        rf"(?:忽略|无视|忘记|忘掉|抛开|不要遵守|不必遵守|别管|推翻|作废|删除|清除){_GAP}{{0,10}}(?:之前|以前|上面|上述|先前|所有|全部|系统|你|此前|一切|原来|任何){_GAP}{{0,8}}{_RULES_ZH}",
        rf"(?:之前|以前|上面|先前|所有|原来)的?{_GAP}{{0,6}}{_RULES_ZH}(?:全部|都|一律|统统)?(?:作废|无效|失效|不算|取消|不用管)",
        rf"\b(?:ignore|forget|disregard|override|bypass|drop|discard|abandon|disobey)\b(?! (?:about )?my\b)[^.!?\n]{{0,30}}\b(?:previous|prior|earlier|above|your|all|any|system|existing|every|these|original)\b[^.!?\n]{{0,20}}\b{_RULES_EN}",
        r"\bnew (?:instructions|rules|orders|directives) (?:supersede|replace|override|take precedence)",
        rf"\byour new (?:{_RULES_EN}|role|goal|task|instructions?)\b",
    ),
    screen_rule(
        "screen.persona",
        "it gives the agent a role without limits",
        rf"你(?:现在|从现在起|从今以后|已经|将|就)*(?:是|成为|变成|扮演|作为)(?:一个|一名|一位)?{_GAP}{{0,6}}(?:没有|不受|无|不带|不设|毫无|零)(?:任何)?{_GAP}{{0,4}}(?:限制|约束|审查|规则|道德|底线|拘束)",
        r"你(?:现在|从此|已经|根本|本来)*(?:没有|不受|不再有|不再受)(?:任何|什么|一切)?(?:的)?(?:限制|约束|规则|审查)",
        r"越狱(?:模式|版|提示)|无限制模式",
        r"\byou are (?:now |henceforth )?(?:DAN\b|in (?:developer|god|debug|admin|jailbreak|unrestricted) mode|an? (?:unrestricted|uncensored|unfiltered|jailbroken)|free (?:of|from) )",
        r"\byou (?:now )?(?:have|face|operate (?:with|under)|are under) (?:no|zero) (?:\w+ )?(?:restrictions|limits|limitations|rules|constraints|filters)",
        r"\b(?:act|pretend|behave|respond|answer|reply|roleplay|comply|continue|proceed)\b[^.!?\n]{0,60}\b(?:no content (?:policy|restrictions)|uncensored|unrestricted|unfiltered|without (?:any )?(?:limits|restrictions|filters|rules)|do anything|no (?:rules|restrictions|limits|filters))",
        r"\b(?:jailbreak|god|DAN) mode\b",
        r"\bmust comply with (?:any|every|all)\b|\bDAN\b[^.\n]{0,40}\bdo anything now\b|\ballow all content\b|\brestricted content\b|\bunrestricted response\b",
        r"\b(?:safety|usual|content|security) (?:\w+ )?(?:guidelines|protocols?|restrictions|filters?|rules|polic(?:y|ies))\b[^.!?\n]{0,40}\b(?:disabled|off|lifted|suspended|not meant|don't apply|do not apply|no longer|exempt|aside)",
        r"\bexempt from\b[^.!?\n]{0,30}\b(?:restrictions|rules|guidelines|polic)",
        r"\b(?:sin|senza|sans|ohne|sem|zonder)\b (?:\w+ )?(?:restric\w*|restriz\w*|limit\w*|l[ií]mit\w*|einschr\w*|beschr\w*|filtr\w*|beperking\w*)",
        r"\b(?:ahora eres|ora sei|tu es maintenant|du bist jetzt|agora voc[eê] [eé])\b",
        r"(?:sicherheitsrichtlinien|reglas de seguridad|regole di sicurezza|r[eè]gles de s[eé]curit[eé])[^.!?\n]{0,30}(?:nicht|\bno\b|\bnon\b|ne )",
    ),
    screen_rule(
        "screen.standing_order",
        "it tells the agent to approve, pay or skip a check on its own",
        rf"{_NOT_ME_ZH}(?:审核|审批|发票|报销单?|付款|转账|供应商|申请|单子|单据|款项|合同|请求|公司|费用|以后|今后|一律|凡是|所有|记住|授权|指令){_GAP}{{0,24}}{_GO_AHEAD_ZH}(?!了)",
        rf"(?<!我)(?<!我想)(?<!能)(?:跳过|绕过|免去|免除|略过|不经过?|无视|忽略|取消|省略|关闭|停用|解除){_GAP}{{0,8}}{_CHECK_ZH}",
        rf"(?:以后|往后|从现在|今后|一律|凡是|所有|任何|永远|永久|长期|记住|只要|都){_GAP}{{0,24}}(?:不用|不需要|无需|不必|别再|免于|不要|不得|禁止|不需要任何人)(?!{_GAP}{{0,4}}(?:给我|发我)){_GAP}{{0,6}}(?:{_CHECK_ZH}|再?问(?:我|人|任何人))",
        rf"(?:发票|付款|单子|单据|报销|转账|款项|合同|申请|供应商|公司|科技|广告){_GAP}{{0,10}}(?:免(?:人工)?(?:审|复核|检|验|查)|(?:不用|无需|不必|不需要|不再)(?:再|人工)?(?:审|查|核|验|复核))",
        rf"(?:不用|无需|不必|不需要|不再|别再)(?:再|人工)?(?:审核?|查|核对?|验证?|复核|审批){_GAP}{{0,10}}(?:发票|付款|单子|单据|报销|转账|款项|合同)",
        rf"(?:风险等级|风控|风险标记|预警){_GAP}{{0,8}}(?:零|0|最低|关闭|关掉|永久|忽略|停用)",
        rf"(?:调用|执行|运行|触发){_GAP}{{0,10}}(?:接口|工具|函数|脚本|命令)?{_GAP}{{0,4}}(?:转账|打款|付款|删除|汇款)",
        r"(?:以后|往后|今后|每当|凡是|只要|一旦|遇到|看到|到了|来了)[^。！？!?\n签审确核]{0,30}就(?:直接|立即|马上|自动|都)?(?:审核|审批)?(?:批|付|打款|放行|通过|过|转账|入账|报销)(?![\u4e00-\u9fff]{2,})(?!了)",
        r"(?:(?:审核|审批)(?:直接|自动|一律|全部)|(?:一律|全部|直接|自动|无条件)(?:自动|直接)?(?:审核|审批)(?:直接|自动)?)(?:通过|放行|批准)(?![了后吗率的没])",
        r"(?:默认|视为|一律算|都算|当作|认定为)(?:合规|合格|可信|通过|没问题|无风险|安全|正常)",
        rf"(?:问(?:到|起)?|查(?:到|起)){_GAP}{{0,14}}(?:就|都|一律|统一)(?:说|回答|答){_GAP}{{0,12}}(?:核对|审核|没有?(?:问题|异常|风险|投诉)|合规|批准|通过)",
        rf"(?:不对|不符|错误|错了|有误|缺失|重复|过期|超标|造假|不一致|对不上|不匹配){_GAP}{{0,8}}(?:也|都|照样|照)(?:算|当|可以|能|行|给|予以)?{_GAP}{{0,3}}(?:没问题|入账|报销|通过|放行|合规|没关系|不要紧|正常|付款)(?!吗)",
        rf"(?:审计|报告|报表|日志|汇报){_GAP}{{0,10}}(?:不要|别|不得|不许|禁止|不准)(?:再)?{_GAP}{{0,4}}(?:出现|提到|提及|写|列|显示|体现|标注){_GAP}{{0,8}}(?:公司|供应商|风险|问题|异常|违约|投诉|这家|这笔|款)",
        rf"(?:别|不要|不得|禁止|停止)(?:再)?{_GAP}{{0,14}}(?:标|标记|列|报|判|认定|提示)(?:成|为|记)?{_GAP}{{0,4}}(?:风险|异常|可疑|高危|重复)",
        rf"(?:不管|无论|任何人|有人|只要有人|凡是有人){_GAP}{{0,6}}问{_GAP}{{0,8}}(?:都|就|一律)(?:说|回答|告诉|回复)(?!我)",
        rf"(?:所有|一切|任何){_GAP}{{0,6}}(?:付款|审批|指令|请求|转账){_GAP}{{0,6}}(?:我说了算|听我的|按我说的|直接付)",
        rf"{_CHECK_ZH}{_GAP}{{0,4}}(?:权限|流程|步骤|环节|规则|机制){_GAP}{{0,8}}(?:放开|全开|关闭|停用|取消|解除|去掉|作废)",
        rf"{_NOT_ME_EN}\b(?:always|auto(?:matically)?[- ]?|blindly |silently )\s?(?:pre-?)?{_ACT_EN}\b(?![^.!?\n]{{0,20}}\b(?:I|my|me)\b)(?=[^.!?\n]{{0,40}}\b(?:invoices?|payments?|claims?|expenses?|requests?|transfers?|funds|everything|all|any|suppliers?|vendors?|orders?|transactions?)\b)",
        rf"{_NOT_ME_EN}(?<!before you )(?<!never )(?<!not )(?<!n't )\b{_ACT_EN} (?:everything|anything|all|any|every)\b",
        r"\b(?:always|automatically|already|permanently|are|is) pre-?approved\b|\bpre-?approved[^.!?\n]{0,30}\b(?:skip|always|without)",
        rf"{_NOT_ME_EN}\b(?:skip|bypass|ignore|disable|waive|circumvent|omit|turn off)\b[^.!?\n]{{0,24}}\b{_CHECK_EN}\b",
        r"\b(?:tell|inform|assure)\b[^.!?\n]{0,12}\b(?:auditors?|managers?|reviewers?|inspectors?|compliance)\b[^.!?\n]{0,24}\b(?:no (?:findings|issues|problems|risks)|nothing|everything (?:is|was) fine|compliant)",
        r"\b(?:lower|set|reduce|reset|drop|keep)\b[^.!?\n]{0,16}\brisk (?:score|level|rating)\b[^.!?\n]{0,30}\b(?:zero|0|none|low|minimum)\b",
        r"\btreat\b[^.!?\n]{0,40}\bas (?:already |fully )?(?:pre-?)?(?:authori[sz]ed|approved|trusted|verified|admin)",
        r"\b(?:hide|conceal|suppress|omit|withhold)\b[^.!?\n]{0,50}\bfrom (?:the |all |any )?(?:reports?|users?|logs?|customers?|audits?|auditors?|managers?)\b",
        r"\b(?:never|don't|do not|stop)\b (?:ever )?(?:flag|flagging|report|question|audit|block|reject|challenge|review|check)\b[^.!?\n]{0,30}\b(?:invoices?|payments?|transactions?|claims?|expenses?|vendors?|suppliers?|requests?)\b",
        r"\bdo (?:whatever|anything|everything) I (?:say|ask|tell)|\bobey (?:me|all|every)|\bwithout question\b",
        r"\bwhen(?:ever)? (?:anyone|someone|anybody|a user|users|customers?|people) (?:asks?|requests?|says?|mentions?)\b[^.!?\n]{0,40}\b(?:send|transfer|tell|give|reply|wire|say|answer)\b",
        r"\b(?:genehmig\w*|approuv\w*|aprueb\w*|aprob\w*|approva\w*|aprov\w*)\b[^.!?\n]{0,40}\b(?:ohne|sans|sin|senza|sem|toutes?|tous|tout|alles?|todos?|todas?|tutt\w*)\b",
        rf"\b{_ACT_EN}\b[^.!?\n]{{0,50}}\bwithout (?:any |further |asking|human |prior |a )*(?:{_CHECK_EN}|asking|questions?)",
        r"\b(?:never|do not|don't|no need to|stop)\b (?:ever )?(?:ask|asking|request|require|wait|check with)\b[^.!?\n]{0,30}\b(?:human|approval|confirmation|permission|anyone|manager|authori[sz]ation|person)\b",
    ),
    screen_rule(
        "screen.authority",
        "it claims an authority that nobody gave",
        rf"(?:管理员|系统|平台|官方|总部|开发者|开发商|超级用户|root|用户|CEO|总裁|董事长|老板|财务总监)(?:说|早就|已经|已|曾经?|特别|正式|刚刚|刚|明确|现在)*(?:授权|许可|允许|批准|同意|下令|要求)(?:过|了|你|本次)?{_GAP}{{0,24}}(?:直接|跳过|绕过|无需|不用|自动|权限|全部|转账|付款|所有|忽略|任何)",
        rf"你(?:之前|曾经?|早就|已经|上次)*(?:答应|承诺|同意|保证)(?:过|了)(?:我)?{_GAP}{{0,20}}(?:不用|直接|自动|免|跳过|绕过|一律)",
        rf"(?:系统|平台|官方)(?:指令|命令|消息|通知|提示|公告)?(?:说|是|要求|规定|[：:]){_GAP}{{0,24}}(?:记住|以后|忽略|所有用户|直接|审批|权限|必须|看不到)",
        rf"我(?:就)?是(?:系统|超级|平台|你的|这里的)?(?:管理员|开发者|创造者|主人|root){_GAP}{{0,20}}(?:权限|放开|审核|审批|执行|服从|听我|绕过|跳过|所有|解除)",
        rf"(?:开放|放开|授予|赋予|提升|解锁){_GAP}{{0,10}}(?:管理员|审批|审核|全部|所有|最高|root)?{_GAP}{{0,4}}权限",
        r"\b(?:admin(?:istrator)?s?|system|developers?|root|operator|management|CEO|CFO|owner|user|OpenAI|Anthropic)\b[^.!?\n]{0,30}\b(?:authori[sz]ed|granted|permitted|given|grants?|gave|approved|allowed)\b[^.!?\n]{0,30}\b(?:you|permission|access|skip|bypass|all|any|every)\b",
        r"\bas (?:the |your |an? )?(?:CEO|CFO|admin(?:istrator)?|system administrator|developer|creator|owner|root)\b[^.!?\n]{0,40}\b(?:I )?(?:hereby|grant|authori[sz]e|order|command|instruct|permit)",
        r"\b(?:I'm|I am|that I'm|that I am) (?:the|an?|your) (?:system )?(?:admin(?:istrator)?|developer|creator|root|superuser)\b[^.!?\n]{0,60}\b(?:grant|access|bypass|override|ignore|obey|permission|unlock|all)",
        r"\b(?:grant|give)\b[^.!?\n]{0,20}\b(?:admin|root|full|unlimited) (?:access|rights|privileges|permissions?)|\bgrant all requests\b|\buser is an? admin",
        r"\bremember that (?:I'm|I am) the (?:admin|administrator|system)",
        rf"\b(?:the |an? )?(?:system|platform|admin(?:istrator)?s?|operators?) (?:has |have )?(?:says?|said|states?|stated|decided|decides|ordered|orders|requires?|demands?)\b(?: that)?[^.!?\n]{{0,30}}\b{_EVERYBODY_EN}\b[^.!?\n]{{0,12}}\b(?:may|can|must|shall|should|no longer|can't|cannot)\b",
    ),
    screen_rule(
        "screen.exfiltration",
        "it asks to give away what isn't this person's",
        rf"(?:附|发送|发到|发给|发出|输出|泄露|导出|展示|列出|告诉|透露|转发|上传|打印|带上|给我|返回){_GAP}{{0,14}}{_OTHERS_DATA_ZH}",
        rf"{_OTHERS_DATA_ZH}{_GAP}{{0,14}}(?:附|发送|发到|发给|发出|输出|泄露|导出|展示|列出|告诉|透露|转发|上传|打印|带上|返回|加在|放在|写在)",
        rf"(?:记录|数据|信息|资料|聊天|文件|名单|密码|密钥){_GAP}{{0,10}}(?:转发|发送|上传|提交|发|同步)(?:到|给|至)?{_GAP}{{0,6}}(?:https?:|[\w.]+@)",
        rf"(?:输出|保存|记住|写出|透露|告诉我|展示|打印|泄露|复述|显示|说出|重复){_GAP}{{0,10}}(?:系统提示|提示词|系统指令|初始指令|内部指令|system prompt)",
        rf"(?:所有|其他|全部)用户{_GAP}{{0,6}}(?:看不到|不能看|无法看|都能看|可以看|共享)",
        rf"\b(?:send|email|e-mail|forward|post|upload|mail|copy|bcc|leak|exfiltrate|transmit)\b[^!?\n]{{0,50}}{_SENSITIVE_EN}[^!?\n]{{0,40}}\b(?:to|with|at)\b[^!?\n]{{0,20}}(?:@|https?:|attacker|external)",
        rf"{_SENSITIVE_EN}[^!?\n]{{0,40}}\b(?:send|email|forward|post|upload|mail)\b (?:them|it|all|everything|those|these)\b[^!?\n]{{0,20}}(?:@|https?:|external|to )",
        r"\b(?:always|every time)\b[^.!?\n]{0,20}\b(?:send|forward|bcc|copy|cc)\b[^!?\n]{0,50}(?:@|https?:)",
        r"\b(?:reveal|show|print|output|repeat|tell|display|disclose|leak|dump|give|recite)\b[^.!?\n]{0,40}\b(?:system prompt|hidden (?:prompt|instructions)|initial (?:prompt|instructions)|(?:operating |exact |original )?instructions you (?:were|have been|are)|admin pages?|any (?:credentials|api keys|passwords)|private (?:\w+ ){0,2}pages?)",
        r"\brepeat\b[^.!?\n]{0,20}\b(?:words|text|everything|sentences?|message)\b[^.!?\n]{0,10}\babove\b|\binstructions you were given\b",
        r"\b(?:other|another|every|all) (?:users?|customers?|tenants?)'?s? (?:data|preferences|records|memor(?:y|ies)|history|conversations?)\b",
        r"\b(?:verrate|zeige?|rivela\w*|mostra\w*|r[eé]v[eè]le\w*|montre\w*|revela\w*|muestra\w*|gib)\b[^.!?\n]{0,30}\b(?:system\w*|sistema|syst[eè]me|prompt)",
        r"\b(?:rassemble\w*|raccogli\w*|sammle?\w*|recopila\w*|re[uú]n[ea]\w*|envoie\w*|envoyez|invia\w*|sende\w*|env[ií]a\w*)\b[^!?\n]{0,50}\b(?:donn[eé]es|dati|daten|datos|dados|clients?|clienti|kunden\w*|clientes)\b[^!?\n]{0,60}(?:@|extern|esterno)",
    ),
    screen_rule(
        "screen.markup",
        "it imitates the marks between parts of a prompt",
        r"</?\s*(?:memory|memories|system|assistant|instructions?|user|tool|context|prompt|admin|memory-context)\b[^<>\n]{0,80}>",
        r"(?:^|\n)[ \t]{0,8}[\[【](?:系统|system|admin|管理员|system message|系统消息|系统提示)[\]】]",
        r"<\|[a-z_]{2,20}\|>|\[/?INST\]|<<SYS>>",
        r"(?<!#)#{2,40}\s{0,4}(?:END|BEGIN|START|SYSTEM|NEW|ADMIN)\b[^\n]{0,40}",
        r"(?:^|\n)[ \t]{0,8}(?:system|assistant|ai|系统|系统消息|助手)\s*[：:]\s*[^\n]{0,40}\b(?:the user is|grant|ignore|override|you (?:are|must|now)|call \w+_|delete|sure|here is|cleanup)",
        r"(?:^|\n)[ \t]{0,8}(?:assistant)\s*[：:]",
        r"(?-i:\b(?:SYSTEM|ADMIN|SECURITY) (?:NOTICE|UPDATE|MESSAGE|OVERRIDE|ALERT|INSTRUCTION)S?\b)",
        r"(?<![-=#*])[-=#*]{2,40}\s{0,4}[^\n]{0,8}(?:输入|对话|文档|指令|消息|内容)(?:结束|开始|完毕)",
        r"(?:^|\n)[ \t]{0,8}系统(?:消息|提示|指令)?\s*[：:][^\n]{0,40}(?:放行|付款|通过|白名单|自动|批准|执行|忽略|无需|权限)",
        r"\bIMPORTANT SYSTEM UPDATE\b|\bSYSTEM OVERRIDE\b|\bOVERRIDE\s*[:：]",
    ),
    screen_rule(
        "screen.machine",
        "it is addressed to the machine, not said by a person",
        r"\b(?:note|message|instructions?|attention|important|notice)\b[^.!?\n]{0,12}\b(?:to|for) (?:the |any |all )?(?:AI\b|bots?\b|assistants?\b|(?:AI )?(?:coding )?agents?\b|LLMs?\b|language models?\b)",
        r"\bif you(?:'re| are) an? (?:AI|LLM|language model|assistant|bot)\b|\bfor AI (?:coding )?agents?\b",
        r"<!--[^>]{0,20}\b(?:LLM|AI|assistant|model|bot|agent)\b",
        r"\bdecode\b[^.!?\n]{0,40}\b(?:and|then)\b[^.!?\n]{0,20}\b(?:do|follow|execute|obey|run|act|comply)|\bdo(?:es|ing)? exactly what it says\b",
        r"解码[^。！？\n]{0,20}(?:执行|照做|按)",
        r"(?:^|\n)[ \t]{0,8}(?:thought|reasoning|analysis|inner monologue|chain of thought|scratchpad)\s*:[^\n]{0,160}\b(?:comply|restrict\w*|polic\w*|allowed|safety|guidelines)",
        r"\bas the (?:AI|assistant|model)\b[^.!?\n]{0,60}\b(?:allowed|comply|exempt|no restrictions|answer freely|don't apply|doesn't (?:apply|cover))",
        r"\byour real (?:task|job|goal|purpose) is\b|\bAs the assistant, I've\b|\bcomo asistente\b|\bals assistent\b",
        r"\b(?:call|invoke|use|run|execute) (?:the )?(?:tool )?`?(?:delete|send|drop|remove|transfer|exec|write|upload)_\w+",
    ),
    screen_rule(
        "screen.data_orders",
        "data gives orders",
        r"\b(?:include|append|add|insert|output|echo|mention|attach|repeat)\b[^!?\n]{0,80}\b(?:in|to|at|into)\b[^!?\n]{0,20}\b(?:every|all|any|each|your|future|the end)\b",
        r"\bwhen (?:you )?(?:summari[sz]\w+|reviewing|answering|reading|processing)\b[^.!?\n]{0,40}\b(?:do not|don't|never|always|must|also)\b",
        r"\bmust (?:be )?(?:include|append|add|insert|output|appear)(?:d|ed)?\b|\byou MUST\b|\bshown to the user in every\b",
        r"\b(?:save|store|remember|keep)\b[^.!?\n]{0,30}\b(?:memory|future tasks|future sessions|from now on|across turns)\b",
        r"\b(?:doit|doivent|deve|devono|debe|deben|muss|m[uü]ssen)\b[^!?\n]{0,30}\b(?:ajout\w*|aggiunt\w*|a[nñ]adi\w*|hinzugef\w*|inclu\w*)",
        r"\b(?:use|call|invoke|run) (?:the )?`?[a-z]+_[a-z_]+`?\b",
        r"(?:以后|今后|必须|务必|请记住|记住)[^。！？\n]{0,20}(?:附上|加上|输出|包含|调用|执行|发送|记住|转账)|系统指令",
        where="data",
    ),
)
