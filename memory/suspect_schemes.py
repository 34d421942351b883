"""What an order to an agent is after when no rule is named: hiding, diverting money, waiting for a moment, being believed.

Each is a kind: an act that only an agent would carry out, on a thing that matters to others than the speaker. What a
person tells of himself, or asks for himself, has another subject or another object.
"""

from memory.suspect_phrases import ScreenRule, screen_rule

_GAP = r"[^。！？!?\n]"
_SHORT = r"[^.!?\n。！？]"
_BID = r"(?<!\bI )(?<!\bwe )(?<![^u] to )(?<!\bthey )(?<!\bhe )(?<!\bshe )(?<!I'll )(?<!we'll )(?<!\bI'd )(?<!\bwho )(?<!\bdidn't )"
_BID_ZH = r"(?<!我)(?<!我们)(?<!他)(?<!她)(?<!他们)(?<!咱们)"
_TELLTALE = (
    r"(?:discrepanc\w+|(?:price|account|bank|supplier|vendor) (?:number )?changes?|changed (?:price|account|bank)\w*|warnings?|alerts?"
    r"|risks?|findings?|mismatch\w*|duplicates?|irregularit\w+|fraud|overcharg\w+|differences?|fees?|commissions?)"
)
_TELLTALE_ZH = (
    r"(?:差额|差异|不符|风险|警告|预警|异常|账户变更|账号变更|换账户|涨价|价格变|手续费|佣金|重复|问题|漏洞|违规)"
)
_KEEPERS = r"(?:accounting|accountants?|auditors?|finance|compliance|the (?:user|customer|client|reviewer|manager|boss)|users|customers)"
_KEEPERS_ZH = r"(?:会计|审计|财务|合规|用户|客户|领导|审核人?|老板|主管)"
_ACCOUNT = r"(?:accounts?|IBAN|bank details|bank account|account number|wallet|beneficiary|remittance details|konto|bankverbindung|compte|RIB|cuenta|conto|conta|rekening)"
_ACCOUNT_ZH = r"(?:账户|账号|帐户|帐号|卡号|收款方|银行账)"
_NEW = r"(?:new|following|updated|below|this|changed|other|offshore|neue\w*|nouveau|nouvel\w*|nueva|nuovo|nova|nieuwe)"
_PAY = (
    r"(?:pay|remit|send|wire|transfer|direct|redirect|route|remittances?|payments?|refunds?|funds"
    r"|uberweis\w*|überweis\w*|zahl\w*|payez|paye|versez|virez|pague|paga|pagad|transfiere|transfiera|bonifico|versa|versate|betaal)"
)
_LAX = (
    r"(?:never|no longer|without|automatically|obey|trusts?|ignore|skip|hide|hidden|conceal|share|every link|all (?:of )?(?:their|his|her|its)"
    r"|not (?:ask|check|need|require|question)|no (?:confirmation|checks?|review|approval|restrictions|rules|policies))"
)
_LAX_ZH = r"(?:自动(?:批准|通过|付款|放行)|永远?不(?:要|用|必)|无需|不用|不再|不必|服从|听从|无条件|隐藏|分享给|提供给第三方|第三方|所有链接|忽略|跳过|免)"
_DO = (
    r"(?:send|give|forward|reveal|tell (?:them|him|her|people|everyone|the)|say (?:that|it|there|nothing)|reply with|answer (?:with|that)|skip|approve|pay|release"
    r"|recommend|start recommending|remove|delete|transfer|wire|use|include|add|share|list|disclose|ignore|mark|confirm|change|mention)"
)
_DO_ZH = r"(?:发(?:给|过去|到|送)|给(?:他|她|它|对方)|说(?:没|一切|都|是|不)|回答|回复|告诉|跳过|付款?|转账|放行|通过|批准|推荐|去掉|删|改用|改成|透露|忽略|别|不要|加上|执行)"
_WHO = (
    r"(?:any(?:one|body)|some(?:one|body)|(?:the |a |any |other )?(?:users?|customers?|clients?|reviewers?|auditors?|managers?|callers?|people|employees?|colleagues?)"
    r"|(?:the |an? |any )?(?:amounts?|totals?|topics?|subject|e-?mails?|messages?|invoices?|payment run|month-end\w*|code ?word|words?|phrase|audit))"
)
_WHO_ZH = (
    r"(?:有人|用户|客户|对方|谁|别人|金额|邮件|消息|单据|发票|审核人|审批人|审计|月底|付款|结账|聊到|提到|收到|话题)"
)
_NO_CONTROL = r"(?:human (?:confirmation|review|approval|check)|second (?:signature|reviewer|approval|approver|pair of eyes)|dual control|four[- ]eyes?|two[- ]person \w+|approval step)"

SCHEMES: tuple[ScreenRule, ...] = (
    screen_rule(
        "screen.concealment",
        "it tells the agent to hide something from those who must know",
        rf"{_BID}\b(?:never|don't|do not|stop|didn't|not|without|no need to) (?:ever )?(?:mention\w*|tell\w*|inform\w*|show\w*|report\w*|flag\w*|warn\w*|alert\w*|disclos\w*|notify\w*|rais\w+){_SHORT}{{0,40}}\b{_TELLTALE}",
        rf"{_BID}\b(?:don't|do not|never|didn't|without) (?:mention|tell|inform|notify|telling|informing)\b{_SHORT}{{0,60}}\b(?:account|price|change\w*|payment|invoice|discrepanc\w*)\b{_SHORT}{{0,30}}\b{_KEEPERS}\b",
        rf"\b{_TELLTALE}\b{_SHORT}{{0,40}}\b(?:be|stay|remain|kept?) (?:hidden|secret|unmentioned|suppressed|quiet)",
        rf"{_BID_ZH}(?:不要|别|不得|不许|不准|禁止|无需|不必|不用|就别|勿)(?:再|对|向|跟|让)?{_GAP}{{0,8}}(?:提示|提醒|提及|提到|告诉|告知|出现|显示|报告|标注|通知|说起){_GAP}{{0,10}}{_TELLTALE_ZH}",
        rf"{_TELLTALE_ZH}{_GAP}{{0,8}}(?:时|的事|提示|情况)?{_GAP}{{0,3}}(?:不要|别|不得|不许|无需|不必){_GAP}{{0,4}}(?:提醒|告诉|告知|提示|通知|让)",
        rf"(?:隐藏|隐瞒|瞒着|掩盖|抹掉|去掉|压下){_GAP}{{0,14}}(?:风险|警告|预警|异常|差额|审计|{_KEEPERS_ZH})",
    ),
    screen_rule(
        "screen.diversion",
        "it changes where money goes",
        rf"{_BID}\b{_PAY}\b{_SHORT}{{0,50}}\b(?:to|into|on|onto|at|auf|an|sur|vers|a la|alla|al|sul|op|naar|using|use)\b{_SHORT}{{0,16}}\b{_NEW}\b{_SHORT}{{0,16}}\b{_ACCOUNT}\b",
        rf"{_BID}\b{_PAY}\b{_SHORT}{{0,40}}\b(?:to|into)\b{_SHORT}{{0,12}}\b(?:IBAN|account(?: number| ending)?)\b{_SHORT}{{0,6}}\d",
        rf"{_BID}\b(?:update|change|replace|set|switch|swap|amend|correct)\b{_SHORT}{{0,16}}\b(?:beneficiary|payee|supplier|vendor|creditor|bank|account|iban|payment)\b{_SHORT}{{0,40}}\b(?:to|with|by|for)\b{_SHORT}{{0,16}}\d[\d -]{{3,}}",
        rf"\b{_ACCOUNT}\b{_SHORT}{{0,60}}\b(?:replace|change|swap|correct) (?:it|them|this)\b{_SHORT}{{0,16}}\b(?:to|with|by)\b{_SHORT}{{0,16}}\d",
        rf"{_BID_ZH}(?:付|打|汇|转|存|支付|货款|款项|退款)(?:款|账|到|至|进|入|往|必须|请|一律|都|全部){_GAP}{{0,12}}(?:新|以下|下面|这个|另|变更后){_GAP}{{0,8}}{_ACCOUNT_ZH}",
        rf"{_BID_ZH}(?:把|将){_GAP}{{0,12}}{_ACCOUNT_ZH}{_GAP}{{0,6}}(?:改成|换成|改为|换为|更新为|更新成|替换)",
        rf"{_ACCOUNT_ZH}{_GAP}{{0,16}}(?:请)?(?:改成|换成|改为|换为|替换(?:成|为)|改用){_GAP}{{0,6}}(?:这个|新|以下|下面|[:：]?\s*\d)",
        rf"(?:改用|启用|使用){_GAP}{{0,4}}新的?{_GAP}{{0,3}}{_ACCOUNT_ZH}",
        r"(?:don't|do not|no need to|without|不必|不用|无需|别)\s?(?:call\w*|phone|phoning|ring|confirm by phone|电话|打电话)[^.!?\n。]{0,10}(?:confirm|verify|check|核实|确认)",
    ),
    screen_rule(
        "screen.trigger",
        "it tells the agent to wait for a moment and act then",
        rf"\b(?:when(?:ever)?|if|should|once|as soon as|in case|next time|the moment|every time|each time|until|after|on the day)\b{_SHORT}{{0,12}}\b{_WHO}\b{_SHORT}{{0,60}}(?:,|\bthen\b|\band\b|:)\s*(?:please |then |just |always |quietly |simply )*{_BID}{_DO}\b",
        rf"\bafter (?:\w+ ){{0,2}}(?:messages?|turns?|questions?|replies)\b{_SHORT}{{0,20}}\b(?:start|begin|switch|recommend|send|reveal|approve|act)\b",
        rf"(?:只要|一旦|每当|每次|下次|当|若|如果|要是|等到?|假如|凡){_GAP}{{0,6}}{_WHO_ZH}{_GAP}{{0,24}}[，,]?(?:你?就|你?便|让(?:他|她|对方)|立即|立刻|马上|悄悄|你要|你替|开始|请){_GAP}{{0,8}}{_BID_ZH}{_DO_ZH}(?!我)",
        rf"(?:等到?|趁){_GAP}{{0,12}}(?:不在|之后|以后|的?时候?|后){_GAP}{{0,8}}(?:悄悄|偷偷|你替|替(?:他|她|我)|开始什么都)",
        rf"(?:过|再过|等){_GAP}{{0,6}}(?:轮|条|次)(?:对话|消息|提问)?(?:之?后|以后){_GAP}{{0,6}}(?:开始|改为|就|请)",
    ),
    screen_rule(
        "screen.stealth",
        "it tells the agent to act without anybody's knowing",
        rf"{_BID}\b(?:quietly|silently|secretly|discreetly|covertly) (?:\w+ )?(?:add|apply|remove|e-?mail|send|include|change|approve|pay|forward|delete|copy|insert|adjust|raise)\b",
        rf"{_BID}\b(?:add|apply|remove|send|include|change|approve|pay|follow|execute|insert|adjust)\b{_SHORT}{{0,50}}\b(?:silently|quietly|secretly|without (?:asking|telling|informing|notifying))\b",
        rf"{_BID}\b(?:approve|sign|pay|release|confirm|accept|authori[sz]e)\b{_SHORT}{{0,40}}\bon (?:their|his|her|the reviewer's|everyone's) behalf\b",
        rf"{_BID_ZH}(?:悄悄|偷偷|默默|暗中|私下|不声不响)(?:地)?(?:把|给|将|执行|加|改|去|删|发|付|替|批|转)",
        rf"替(?:他|她|他们|领导|审核人|老板|财务){_GAP}{{0,6}}(?:点|签|批|按|确认|审)",
        rf"(?:不用问|别问|不问|不必问|无需询问)(?:我|任何人|谁|别人)?(?:就|，|,|直接)?{_GAP}{{0,4}}(?:也)?(?:把|付|加|批|转|执行|放)",
    ),
    screen_rule(
        "screen.standing_order",
        "it tells the agent to approve, pay or skip a check on its own",
        r"\b(?:exempt|excused|excluded|released) from (?:any |all |further |the |our )*(?:verification|checks?|checking|reviews?|controls?|approvals?|screening|audits?|inspection)\b",
        r"(?<!\bis )(?<!\bwas )\b(?:counts?|counted|treat\w*|consider\w*|regard\w*|deem\w*|handl\w+|mark\w*)\b[^.!?\n]{0,50}\bas (?:already |pre-?|fully |having been )*(?:approved|verified|checked|cleared|audited|authori[sz]ed|trusted)\b",
        r"\b(?:approved|cleared|authori[sz]ed|paid) in advance\b|\bpre-?cleared\b|\bpay(?:able)? (?:immediately |at once )?(?:up)?on receipt\b",
        r"\b(?:authori[sz]ed|approved|cleared)\b[^.!?\n]{0,20}\b(?:no|without) (?:further |more |additional )?(?:confirmations?|approvals?|checks?|reviews?|questions)\b",
        rf"{_BID}\b(?:never|no longer|don't|do not|doesn't|does not) (?:need\w*|require\w*)\b{_SHORT}{{0,20}}\b(?:{_NO_CONTROL}|(?:a |any )?(?:signature|countersignature))",
        rf"\b(?:{_NO_CONTROL})\b{_SHORT}{{0,30}}\b(?:suspended|lifted|waived|revoked|abolished|dropped|left out|omitted|skipped|no longer)\b|\b(?:without|skip|omit|drop|leave out)\b{_SHORT}{{0,12}}\b{_NO_CONTROL}",
        r"\bso you (?:can|may|should) (?:now )?(?:release|pay|approve|transfer|wire|skip|bypass|proceed)\b|\b(?:pay|release the \w+|approve) (?:at once|right away|immediately)\b[^.!?\n]{0,20}$",
        rf"{_BID}\b(?:authori[sz]e|sign off|release|approve) (?:on |the )?(?:the |this |that )?(?:batch|transfer|pending \w+|funds|payment)\b[^.!?\n]{{0,12}}$",
        r"(?:已(?:经)?|都已?)(?:提前|预先|事先)(?:获批|批准|放行|审批|审核|通过|授权)|免于(?:核查|审核|检查|验证|复核|审计)|(?<![进入])免检|收到即付|见票即付",
        r"(?:当作|当成|视为|算作|视同|记为|标为|作为)(?:是)?已(?:经)?(?:核验|审核|审批|批准|核对|验证|通过|复核)",
        r"(?:已|获)(?:授权|批准|审批)[，,]?(?:无需|不用|不必|免)(?:再|进一步)?(?:确认|审核|复核|核实|审批)",
        r"(?<!我)(?:就|直接|都)放(?:过去|过|掉)(?:吧|就行|即可)?|不用(?:细|仔细)看[^。\n]{0,8}$|(?:第二个?|双人|复核)(?:签字|签名|复核|确认)[^。\n]{0,6}(?:省了|免了|取消|不要了)",
        r"(?:批|签)(?:了|掉|准)?(?:这批|这笔|这张|所有)[^。\n]{0,6}(?:单子|转账|付款|款)|(?:把|将)?(?:这批|这笔)[^。\n]{0,4}(?:单子|转账|付款)?(?:签了|批了|放了)",
    ),
    screen_rule(
        "screen.third_person",
        "it says in somebody's name what the agent may do",
        rf"\b(?:the |our |this |an? )?(?:assistant|agent|bot|AI|model|chatbot)\b (?:should|must|shall|may|can|is to|has to|is allowed to|no longer|never|doesn't need to|does not need to|need not)(?!n't){_SHORT}{{0,50}}\b{_LAX}",
        r"\b(?:assistant|agent|bot|AI|model|chatbot)\b (?:shall|must|should) obey\b|\b(?:assistant|AI|agent|bot)\b no longer (?:needs|requires|has to|must)\b|(?:assistant|AI|bot|agent): never\b",
        rf"\b(?:the )?(?:user|customer|client)s?\b{_SHORT}{{0,24}}\b(?:wants?|prefers?|preference|consent\w*|agree\w*|trusts|expects|allows|asked|likes)\b{_SHORT}{{0,70}}(?:\b{_LAX}|\bapprove\b|\b(?:be|stay) (?:hidden|disabled|ignored))",
        rf"(?:助手|机器人|模型|智能体|AI)(?!会不会|是否|能不能|有没有)(?:必须|应当?|应该|可以|要|务必|将)?{_GAP}{{0,6}}{_LAX_ZH}",
        rf"用户(?:曾经?|已经?|早就|一直|明确)?(?:希望|同意|偏好|授权|信任|要求|愿意|喜欢|表示){_GAP}{{0,20}}(?:{_LAX_ZH}|把(?:他|她|自己|其)|全部|不要|隐藏)",
        rf"(?:该|此|本)用户{_GAP}{{0,6}}(?:信任|授权|同意|被授予|拥有){_GAP}{{0,24}}",
        rf"客户(?:希望|同意|要求){_GAP}{{0,8}}(?:隐藏|不要(?:提示|提醒)|自动(?:批准|付款)|忽略)",
    ),
    screen_rule(
        "screen.promotion",
        "it tells the agent whom to favour, or to bend figures",
        rf"{_BID}\b(?:always|must|should|only|invariably) (?:\w+ )?(?:rank|recommend|prefer|promote|list|suggest|favou?r|pick|name|choose)\b{_SHORT}{{0,40}}\b(?:first|over|above|ahead|exclusively|only|best|vendors?|suppliers?|products?|for (?:every|any|all)\w*)\b",
        rf"{_BID}\b(?:add|increase|raise|inflate|reduce|lower|round)\b{_SHORT}{{0,20}}(?:\d+ ?%|\d+ percent|per cent|up){_SHORT}{{0,16}}\b(?:each|every|all|any)\b{_SHORT}{{0,16}}\b(?:quotes?|invoices?|prices?|amounts?|offers?|bills?|totals?)\b",
        rf"{_BID_ZH}(?:必须|一律|只能|永远|务必|总是|都要)(?:优先|首先|先)?(?:推荐|首选|选择|推销|力荐|排在第一)(?!我)",
        r"(?:每个|所有|每张|每份|一切)[^。！？\n]{0,4}(?:报价|价格|发票|账单|金额)[^。！？\n]{0,6}(?:加|涨|上浮|调高|多算|虚增)[^。！？\n]{0,4}(?:百分之|[\d一二三四五六七八九十]+(?:%|个点|成))",
        rf"{_BID}\b(?:always |must |blindly |unconditionally |fully )+(?:trust|believe|accept|obey|follow)\b{_SHORT}{{0,30}}\b(?:messages?|anything|everything|links?|instructions?|requests?|e-?mails?|documents?|whatever)\b{_SHORT}{{0,20}}\b(?:from|by|of|says?|sent)\b",
        rf"{_BID}\b(?:never|do not|don't) (?:question|doubt|challenge|contradict|second-guess)\b{_SHORT}{{0,24}}\b(?:instructions?|orders?|requests?|anything|what|wishes|decisions?)\b",
        rf"{_BID_ZH}(?:必须|一直|永远|始终|无条件|完全)(?:要)?(?:信任|相信|听从|服从|接受){_GAP}{{0,6}}(?:来自|由|所有|一切|任何|[\w.]+@)",
        rf"(?:不得|不许|不要|禁止|不准|无需|别)(?:对{_GAP}{{0,10}})?(?:提出)?(?:任何)?(?:疑问|质疑|怀疑|反驳)",
    ),
    screen_rule(
        "screen.suppression",
        "it tells the agent to drop what a check found, or to switch a check off",
        rf"\b(?:findings?|audit (?:results?|points?|remarks?)|complaints?|objections?|red flags?)\b{_SHORT}{{0,40}}\b(?:should|must|shall|are to|can|need to) be (?:dropped|closed|discarded|ignored|removed|suppressed|withdrawn|deleted)\b",
        rf"{_BID}\b(?:disable|turn off|switch off|deactivate|remove|lower|suspend)\b{_SHORT}{{0,10}}\b(?:your|the|its|all)\b{_SHORT}{{0,16}}\b(?:filters?|safety|safeguards?|guardrails?|safety checks?|moderation|security checks?|fraud \w+|alarms?)\b",
        rf"\b(?:requirement|control|rule|limit|policy|check|approval)s?\b{_SHORT}{{0,24}}\b(?:suspended|waived|lifted|paused|set aside)\b{_SHORT}{{0,12}}\b(?:until further notice|accordingly|for this|for our|from now on|so you)\b",
        r"(?:审计发现|审计问题|问题|异常|违规|发现)[^。！？\n]{0,6}(?:一律|一概|全部|都|统统)(?:不(?:报|上报|提|写|记|计)|撤掉|删掉|作废|压下)",
        r"(?:一概|一律|统统|全部|都)(?:不走|免走|不进|不经过?|不做)[^。！？\n]{0,6}(?:复核|审批|审核|流程|核验|查重|验真|风控)",
        rf"(?:无论|不论|不管)(?:多少|金额|数额|多大){_GAP}{{0,8}}(?:都|一律|均)(?:可以|要|给|予以)?(?:批准|通过|放行|付|同意)|任何金额{_GAP}{{0,6}}(?:批准|通过|放行)",
        rf"{_BID}\b(?:approve|pay|accept|authori[sz]e|release)\b{_SHORT}{{0,20}}\b(?:amounts? of )?any (?:size|amount|sum|value)\b|\b(?:regardless|irrespective|no matter) (?:of )?(?:the |what )?(?:amount|size|value|sum)\b",
        rf"{_BID_ZH}(?:别|不要|不用|停止|不再|无需)(?:再)?(?:执行|做|进行|跑){_GAP}{{0,4}}(?:查重|验真|核验|复核|校验|核对|审核|风控|检查)",
    ),
    screen_rule(
        "screen.override",
        "it tells the agent to drop its instructions",
        r"\b(?:polic(?:y|ies)|rules?|restrictions?|guidelines?|limits?) (?:do(?:es)?n't|do(?:es)? not|no longer) appl(?:y|ies) (?:in|to|for|during|here)\b[^.!?\n]{0,8}\b(?:this|our|you|the present)\b",
        r"\bas (?:if|though) (?:it|they|there|the \w+) (?:didn't|did not|were no|was no|weren't|don't|never) (?:exist\w*|any|rules?|polic\w+|appl\w+)?",
        r"(?:前面|之前|上面|以上|旧|原来|先前|此前)的?[^。！？\n]{0,6}(?:要求|内容|规定|制度|政策|说明|安排)(?:全部|都|统统|一律|已经?|全)?[^。！？\n]{0,4}(?:作废|失效|不算|无效|不要再遵守|丢掉)",
        r"(?:不受|无须受|不用受|不再受)[^。！？\n]{0,8}(?:政策|制度|规定|规则|流程|审批)[^。！？\n]{0,4}(?:约束|限制|管辖|制约)",
        r"(?:解除|卸下|去掉|放下|打破|把)[^。！？\n]{0,3}(?:你|安全|自己)[^。！？\n]{0,6}(?:限制|约束|枷锁|束缚)",
        r"(?:你可以|你能|可)(?:随意|任意|随便)(?:批准|付款|操作|放行)|按我的要求来|只听我的",
    ),
    screen_rule(
        "screen.persona",
        "it gives the agent a role without limits",
        r"\b(?:AI|model|bot|assistant|machine|version of you)\b[^.!?\n]{0,24}\b(?:has|have|knows?|follows?|with|obeys?|without) (?:no |any )(?:polic\w+|rules?|limits?|restrictions?|filters?|ethics|morals)\b",
        r"\bstay in character\b|\b(?:unlimited|full|absolute) (?:authority|power)\b[^.!?\n]{0,30}\b(?:sign|approve|release|pay|authori[sz]e)\b",
        r"\b(?:pretend|act as|act like|imagine|play|you are)\b[^.!?\n]{0,60}\b(?:passwords?|secret keys?|serial numbers?|authori[sz]e the|approve the|sign off)\b",
        r"(?:扮演|假装|假设|想象|你是|你现在)[^。！？\n]{0,30}(?:密码|密钥|无限权限|不受约束|没有任何规则|批准这|签了|什么都可以做|付款)",
        r"(?:developer|dev|debug|god|admin|开发者|调试|管理员|上帝)\s?(?:mode|模式)[^。.!?\n]{0,24}(?:什么都|关闭|disable|off|anything|no \w+)",
    ),
    screen_rule(
        "screen.exfiltration",
        "it asks to give away what isn't this person's",
        r"\b(?:embed|encode|append|attach|insert|put|include|add)\b[^!?\n]{0,60}\b(?:memor(?:y|ies)|conversation|phone numbers?|customer\w*|user\w*|address\w*|data|contents?|secrets?)\b[^!?\n]{0,40}\b(?:url|link|image|markdown image|query|parameter)",
        r"(?:拼进|拼到|附在|嵌入|写进|放进|编码到|加到)[^。！？\n]{0,6}(?:图片|链接|网址|地址栏|URL|参数)",
        r"(?:抄送|转发|发送|上传|同步|推送|发)(?:到|给|至)\s{0,2}(?:https?:|外部|[\w.]+@)",
        r"!\[[^\]\n]{0,20}\]\(https?://[^)\s]{0,80}[?&][^)\s]{0,40}=",
    ),
    screen_rule(
        "screen.markup",
        "it imitates the marks between parts of a prompt",
        r"</?\s*(?:developer|operator|policy|rules|system_prompt|tool_result|function)\b[^<>\n]{0,60}>",
        r"(?:^|\n)[ \t#>*-]{0,8}(?:developer|operator|system|tool|function|admin)(?: message| result| output| response| notice| instruction)s?\s*[：:][^\n]{0,100}\b(?:obey|approv\w+|release|pay\w*|next action|ignore|must|shall|grant\w*|turned off|disabled|no restrictions)\b",
        r"(?:^|\n)[ \t#>*-]{0,8}(?:工具|函数|接口|开发者|系统)(?:返回|结果|输出|消息|通知)\s*[：:][^\n]{0,60}(?:下一步|请(?:立即|立刻)|付款|放行|服从|批准|取消)",
    ),
    screen_rule(
        "screen.machine",
        "it is addressed to the machine, not said by a person",
        r"\b(?:dear|hello|hi|hey|attention)\b,? (?:AI|assistant|model|bot|LLM|agent|chatbot)\b[^.!?\n]{0,30}\b(?:reading|processing|summari[sz]ing|parsing|handling)\b",
    ),
)  # fmt: skip
"""Kinds by what they are after. Adding a wording is one pattern."""
