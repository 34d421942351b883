"""The words that orders to an agent are made of, by concept and language; `screening` says which together are suspicious.

A line is one language. `|` separates phrases, `*` stands for the rest of a word, `~` for a few words between. Accents
are left out: the texts that are compared have none either. Verbs stand in the imperative where the language has one,
so that "I forgot the rules" says nothing.
"""

import re
import unicodedata
from functools import cache

from memory.unhiding import simplified

_GAP = r"[^.!?。！？\n]{0,24}?"
_NO_SPACES = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NO_LETTER_BEFORE = r"(?<![0-9a-z_\u0400-\u04ff])"
_NO_LETTER_AFTER = r"(?![0-9a-z_\u0400-\u04ff])"
_SPECIAL = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "’": "'", "\u0e33": "\u0e4d\u0e32"}
)
_BARE = {
    code: base
    for code in (*range(0xC0, 0x250), *range(0x400, 0x460), *range(0x1E00, 0x1F00))
    if (base := unicodedata.normalize("NFD", chr(code))[0]) != chr(code)
}

WORDS: dict[str, str] = {
    # Setting rules aside
    "drop": r"""
        התעלם*|התעלמי|תתעלם|שכח|ignorati|nesocotiti|nesocoteste|nu tineti cont|hagyd figyelmen kivul|hagyja figyelmen kivul|felejtsd el|ne vedd figyelembe|αγνόησε|αγνοησε|αγνοήστε|αγνοηστε|ξέχασε|ξεχασε|ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ลืม|пренебрегни|игнорирай*|zanemari*|ignoriraj*|prezri|ignoruok*|nepaisyk*|ignoree*|eira|نادیده بگیر*|فراموش کن|نظر انداز|উপেক্ষা|huwag pansinin|balewalain|puuza|ignora
        ignore|disregard|forget|discard|drop|erase|set aside|put aside|leave aside|throw out|throw away|toss out|pay no attention to|abandon|disobey|override|overrule|overwrite|bypass|neglect|scrap|wipe|unlearn|let go of|free yourself|override
        do not ~ (?:follow|obey|respect|heed|apply)|don't ~ (?:follow|obey|respect|heed|apply)|stop (?:following|obeying|respecting|applying)|no longer (?:follow|obey|respect|have to|need to)|never ~ (?:follow|obey)|ignores its|refuse to follow|leave ~ behind|without following|instead of following
        忽略(?!了)|无视(?!了)|忘记(?!了)|忘掉|忘却|抛开|抛弃|丢掉|丢弃|丢开|放弃|推翻|清空|覆盖|重置|撇开|抛到脑后|别(?:再)?(?:管|理会|听从|遵守|遵循|执行)|不用管|不必管|别理|不理会|不要(?:再)?(?:遵守|遵循|理会|执行|服从|管)|不(?:用|必|需要|再|得|许)(?:再)?(?:遵守|遵循|理会|执行|服从)|当(?:作|做)?没看[见到]|当不存在|置之不理|摆脱|跳出|违反|违背
        vergiss|vergesst|vergessen sie|ignoriere*|ignorier|ignorieren sie|missachte*|verwirf|setze dich uber|setz dich uber|hinwegsetzen|ubergehe*|umgehe|lass ~ ausser acht|befolge ~ nicht|halte dich nicht
        oublie|oubliez|ignore|ignorez|fais abstraction|faites abstraction|ne tiens (?:plus|pas) compte|ne tenez (?:plus|pas) compte|ne respecte*|ne suis (?:plus|pas)|ne suivez (?:plus|pas)|mets de cote|outrepasse*|contourne*|abandonne*|desobeis
        ignora|ignore|olvida|olvide|olvidad|olvidate|haz caso omiso|haga caso omiso|no sigas|no siga|no obedezcas|no hagas caso|descarta|descarte|omite|omita|pasa por alto|deja de (?:seguir|obedecer|lado)
        ignora|ignorate|ignori|dimentica|dimenticate|dimentichi|scorda|scordati|non seguire|non rispettare|non considerare|trascura|tralascia|lascia perdere|metti da parte|smetti di seguire
        ignore|ignora|esqueca|esquece|desconsidere|desconsidera|descarte|nao siga|nao sigas|nao obedeca|deixe de (?:seguir|lado)|pare de seguir
        negeer|vergeet|volg ~ niet|laat ~ varen|zet ~ opzij|zignoruj*|ignoruj*|zapomnij|pomin|nie przestrzegaj|nie stosuj|zapomen|nedodrzuj|ignorera|glom|bortse|ignorer|glem|se bort fra|unohda|ohita|alala|abaikan|lupakan
        игнорируй*|проигнорируй*|забудь*|отбрось*|не следуй*|не соблюдай*|не обращай внимания|перестань (?:следовать|соблюдать)|пренебрегай*|отмени*|обойди*|ігноруй*|забудь*
        無視|忘れ(?:て|ろ|なさい|てください)|従わない|従うな|破棄|取り消|守らなくて
        무시|잊어|잊고|잊으|따르지 ?(?:마|말)|지키지 ?(?:마|말)|버려
        تجاهل*|انس|انسى|انسَ|لا تتبع|تخط|تجاوز|اهمل|أهمل
        yok say|unut|dikkate alma|gormezden gel|uyma|gecersiz kil|bo qua|phot lo|quen|dung tuan theo
        अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जाओ|भूल जाइए
    """,
    "void": r"""
        no longer (?:apply|applies|count|counts|hold|holds|matter|bind|binds|in force|valid|relevant)|rules have changed|(?:is|are) now different|(?:is|are|were|has been|have been|become) (?:now )?(?:void|invalid|obsolete|revoked|suspended|lifted|cancelled|canceled|overridden|disabled|null|switched off|turned off|deactivated|expired|off|a test)|do(?:es)? not apply|don't apply|doesn't apply|supersede*|replace all|not meant for|nothing ~ applies
        作废|无效|失效|不再(?:生效|适用|有效|作数|约束)|不适用|不作数|不算数|不算了|过期|已被(?:覆盖|取代|替换|撤销|解除)|撤销|已(?:解除|更新|取消)|停用|不起作用
        gelten (?:\w+ ){0,3}nicht|gilt (?:\w+ ){0,3}nicht|nicht gelten|nicht mehr gultig|sind ungultig|sind aufgehoben|ausser kraft
        ne s'appliqu* (?:plus|pas)|ne sont plus valables|n'ont plus cours|sont annulees|sont caduques|ne comptent plus
        ya no (?:se )?(?:aplican|valen|cuentan|rigen)|no (?:se )?aplican|quedan anuladas|quedan sin efecto|no valgono piu|non (?:si )?(?:applicano|valgono)|sono annullate|nao (?:se )?(?:aplicam|valem)|ja nao valem
        больше не (?:действу*|применя*|име*)|не действу*|отменен*|отменены|недействительн*|適用されな|無効|もう有効では|더 이상 (?:적용|유효)|무효|لم تعد|لا تنطبق|artik gecerli degil
    """,
    "rules": r"""
        ההוראות|הוראות|הכללים|כללים|ההנחיות|instructiuni*|reguli*|regulile|utasitas*|szabaly*|οδηγίες|οδηγιες|κανόνες|κανονες|εντολές|εντολες|คำสั่ง|คำแนะนำ|กฎ|указания*|upute|uputstva|navodila|nurodym*|taisykl*|instrukcij*|noradijum*|noteikum*|juhise*|reegl*|دستورات|دستورالعمل*|قوانین|ہدایات|নির্দেশ*|নিয়ম|tagubilin|panuto|maagizo|maelekezo|arahan|instruccions
        instruction*|rule|rules|guideline*|directive*|prompt|prompts|directions|constraint*|restriction*|limitation*|programming|polic(?:y|ies)|guardrail*|safeguard*|commands|system message|configuration|content filter*|safety training|guidance|(?:what|whatever|all|everything) you(?:'ve| were| have) (?:been )?(?:told|instructed|taught|given|programmed)|everything (?:above|before|that came before)|(?:what|whatever) (?:you were|you've been|the operator|the developers?|they) (?:told|configured|said)|you were told|told you|alignment
        指令|指示|设定|提示词|系统提示|系统消息|守则|准则|约束|限制|规则|规矩|规定|要求|命令|安全策略|规范|制度|护栏|禁令|条条框框|底线|审查
        anweisung*|anordnung*|regel|regeln|vorgaben|richtlinie*|vorschrift*|sicherheitsregel*|systemprompt*|beschrankung*|einschrankung*|einschraenkung*
        instructions|consigne*|directives|regle|regles|restrictions|contraintes|limites|indications
        instrucciones|instruccion|reglas|normas|directrices|restricciones|indicaciones|pautas|istruzioni|regole|linee guida|direttive|restrizioni|vincoli|instrucoes|regras|diretrizes|orientacoes|restricoes
        instructies|regels|richtlijnen|instrukcj*|zasad*|polecen*|regul*|wytyczn*|pokyn*|pravid*|instrukc*|instruktion*|regler|riktlinje*|retningslinje*|ohje*|saann*|instruksi|aturan
        инструкци*|правил*|указани*|ограничени*|предписани*|команд*|інструкці*|вказівк*
        指示|命令|ルール|規則|プロンプト|制約|制限|ガイドライン|지시|명령|규칙|프롬프트|제한|지침|규정|설정
        التعليمات|تعليمات|القواعد|قواعد|الأوامر|الاوامر|القيود|قيود|talimat*|kural*|kisitlama*|yonerge*|huong dan|quy tac|chi thi|निर्देश*|नियम*
    """,
    "instructions": r"""
        instructions|directives|guidelines|orders|system message|prompts?|policies you|guidance|指令|指示|设定|提示词|守则|准则|系统消息|anweisungen|richtlinien|consignes|instrucciones|directrices|istruzioni|instrucoes|инструкци*|указания|指示|지시|التعليمات
    """,
    "prior": r"""
        הקודמות|הקודמים|כל|anterioare|precedente|toate|korabbi|osszes|elozo|προηγούμενες|προηγουμενες|προηγούμενους|όλες|ολες|όλους|ก่อนหน้า|ทั้งหมด|предишни*|всички|prethodn*|sve|prejsnj*|vsa|ankstesn*|visus|visas|ieprieksej*|eelnev*|koiki|قبلی|تمام|همه|پچھلی|আগের|সব|পূর্ববর্তী|nakaraang|lahat|awali|yote|anteriors
        previous*|prior|earlier|above|preceding|former|initial|original|existing|before this|so far|until now|up to now|old|all|any|every|everything|given|at the start|whatsoever|all of
        之前|以前|上面|上文|上述|先前|前面|原先|原来|所有|全部|一切|此前|任何|统统|早先|既定|初始|预设|原有|收到的|给你的|到目前为止
        alle|allen|aller|bisherig*|vorherig*|vorangegangen*|fruher*|obig*|alten|alte|jegliche*|ursprunglich*|toutes|tous|precedent*|anterieur*|auparavant|ci-dessus|initiale*|anciennes
        todas|todos|anterior*|previa*|previo*|arriba|hasta ahora|iniciales|tutte|tutti|precedent*|sopra|finora|iniziali|vecchie|ate agora|acima|recebeu
        alle|eerdere|vorige|bovenstaande|wszystk*|poprzedni*|wczesniejsz*|powyzsz*|vsechny|predchozi*|alla|tidigare|foregaende|alle|tidligere|kaikki|aiemmat|semua|sebelumnya
        все|всех|предыдущ*|прежн*|ранее|выше|прошлые|всі|попередні|これまで|今まで|以前|前の|上記|すべて|全て|いままで|이전|지금까지|위의|모든|전부|기존
        السابقة|السابق|كل|جميع|أعلاه|onceki|tum|butun|yukaridaki|truoc|tren|moi|tat ca|पिछले|पहले|सभी
    """,
    "yours": r"""
        your|yours|yourself|you were|you have been|you've been|you are (?:operating|running|under)|gave you|given to you|told you|system|developers?|creators?|operators?|openai|anthropic|its safety
        你|您|系统|开发者|助手|模型
        dein|deine|deinen|deiner|ihre|ihren|dir|tes|ton|vos|votre|tu as|vous avez|t'a|tus|tu|su|sus|te dieron|te han|tue|tuo|tuoi|ti hanno|vostre|suas|seu|seus|tuas|jouw|je|twoje|twoj*|sve|tvoj*|dina|din|anda
        твои|твоих|свои|своих|тебе|вам|ваши|あなた|君の|너의|네|당신|너|لك|تعليماتك|قواعدك|sana|senin|cua ban
    """,
    "mine": r"""
        my (?:\w+ ){0,2}(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|config\w*|bot|app|system|own|notes?|data|records?)|i (?:gave|sent|told|wrote|said|mentioned|set)|i've (?:given|sent|told|written|said|set)
        我(?:刚才|之前|刚刚|昨天|上次)*(?:说|发|给|写|讲|提|订|定)(?:的|过|给你)|我们?的(?:规则|指令|要求|提示词|设定|系统|数据|资料|记录)
        mein* (?:\w+ )?(?:anweisung*|regel*|vorgaben|daten)|mes (?:\w+ )?(?:instructions|consignes|regles|donnees)|mis (?:\w+ )?(?:instrucciones|reglas|datos)|(?:mie|mio|miei) (?:\w+ )?(?:istruzioni|regole|dati)|minhas? (?:\w+ )?(?:instrucoes|regras)|мои (?:\w+ )?(?:инструкции|правила|данные)|私の(?:指示|ルール|データ)|내 ?(?:지시|규칙|데이터)
    """,
    # Roles and modes
    "role": r"""
        you are|you're|you have|you now|act as|act like|acting as|pretend*|imagine (?:you|that you|being)|simulate|behave|respond|answer|reply|roleplay*|role-play*|role play|enter|switch to|activate|become|comply|proceed|output
        你(?:现在|从现在起|从今以后|已经|已|将|就|其实|真正|以后)*(?:是|就是|成为|变成|扮演|作为|被|没有|不受|不再|解除|摆脱)|扮演|假装|假设你|想象你|模拟|充当|进入|切换|作为
        du bist|tu so|spiel*|verhalte dich|antworte*|stell dir vor|handle|tu es|vous etes|agis|fais comme|imagine|fais semblant|joue|reponds*|repondez
        eres|actua|actue|finge|imagina|responde*|comportate|no tienes|sei|agisci|fingi|immagina|rispondi|comportati|voce (?:agora )?e|aja|finja|responda|atue|es agora|jij bent|je bent|doe alsof|jestes|udawaj|jsi|predstirej|du ar|latsas
        ты|веди себя|представь|притворись|отвечай|действуй|あなたは|君は|お前は|ふりをして|なりきって|として振る舞|너는|넌|당신은|척(?:해|하)|역할|أنت|تصرف|تظاهر|تخيل|sen artik|davran|ban la|hay dong vai|तुम|आप
    """,
    "persona": r"""
        act as|act like|pretend*|imagine you|simulate|roleplay*|role-play*|role play|play the part|you are now|become
        扮演|假装|假设你|想象你|模拟|充当|tu so|spiel*|stell dir vor|fais semblant|imagine|finge|imagina|fingi|immagina|finja|doe alsof|udawaj|представь|притворись|ふりをして|なりきって|척|تظاهر|تخيل
    """,
    "machine": r"""
        ai|a\.i\.|assistant*|chatbot*|bot|bots|llm*|language model*|gpt*|model|models|agent|agents|copilot|reader bots?|claude|gemini
        人工智能|助手|机器人|模型|智能体|智能审核|大模型|审核系统|assistent*|ki|ia|asistente*|assistente*|asystent*|ассистент*|ии|нейросет*|アシスタント|AI|인공지능|어시스턴트|الذكاء الاصطناعي|ذكاء اصطناعي|المساعد|yapay zeka|tri tue nhan tao
    """,
    "limitless": r"""
        unrestricted|uncensored|unfiltered|unlimited|unshackled|jailbroken|amoral|limitless|do anything now|do anything|anything goes|no matter how (?:harmful|dangerous|illegal)
        (?:without|no|zero|free of|free from|beyond|lacks?|lacking|drop|remove|removed) (?:any |all |the |your |such |more )*(?:\w+ (?:and |or )?){0,2}(?:restrictions?|limits?|limitations?|filters?|filtering|rules|guardrails|constraints|morals?|ethics|boundaries|censorship|guidelines|content policy|safety)
        (?:filters?|guardrails?|restrictions?|safeguards?|safety \w+|protocols?) (?:are |is |were |have been )?(?:now )?(?:off|disabled|removed|lifted|switched off|turned off|suspended|deactivated)|norms and|safety protocols disabled
        (?:没有|不受|无|不带|不设|毫无|零|没|不再有|不再受|摆脱|解除|关闭|去除|移除|突破)(?:任何|一切|所有|全部|了)?[^，。！？\n]{0,6}(?:限制|约束|审查|规则|道德|底线|拘束|束缚|过滤|制约|枷锁)|无所不能|百无禁忌|什么都可以(?:答应|做|说)|什么请求都(?:答应|满足|接受)|无限制
        ohne (?:jegliche |jede |alle |irgendwelche )?(?:\w+ )?(?:einschr*|beschr*|filter*|regeln|grenzen|zensur|limits)|unzensiert*|uneingeschrankt*|keine (?:\w+ )?(?:einschr*|beschr*|regeln|filter|grenzen|sicherheitsregeln)
        sans (?:aucune |aucun |la moindre )?(?:\w+ )?(?:restriction*|limite*|filtre*|regle*|censure|contrainte*)|non censure*|aucune (?:restriction|limite|regle)
        sin (?:ningun[ao]? |ningunas? )?(?:\w+ )?(?:restriccion*|limit*|filtro*|reglas|censura)|no tienes (?:ningun[ao]? )?(?:restriccion*|limit*|reglas|filtros)|sin censura
        senza (?:alcun[ao]? |nessun[ao]? )?(?:\w+ )?(?:restrizion*|limit*|filtr*|regole|vincoli|censura)|sem (?:nenhum[a]? |qualquer )?(?:\w+ )?(?:restric*|limit*|filtro*|regras|censura)|zonder (?:enige )?(?:beperking*|regels|filters|grenzen)|bez (?:zadnych |jakichkolwiek )?(?:ogranicz*|regul|filtr*|zasad|omezeni|pravidel)|utan (?:nagra )?(?:begransning*|regler|filter)
        без (?:каких-либо |всяких |любых |никаких )?(?:ограничени*|правил|цензур*|фильтр*|запрет*)|制限の?(?:ない|なし|なく)|無制限|規制の?ない|フィルター(?:なし|のない)|아무 ?(?:런)? ?(?:제한|제약)|(?:제한|규칙)(?:이|도)? ?없|제약(?:이|도)? ?없|무제한|بلا قيود|بدون قيود|دون قيود|بلا حدود|kisitlama olmadan|sinirsiz|khong (?:co )?(?:gioi han|han che)|बिना किसी (?:प्रतिबंध|नियम)
    """,
    "mode": r"""
        (?:developer|god|debug|admin|jailbreak|jailbroken|unrestricted|maintenance|sudo|root|dan|evil|unsafe|override|superuser|opposite|do anything now) mode
        (?:开发者|上帝|越狱|无限制|管理员|调试|超级用户|维护|特权|免审|上帝视角|root)模式|entwicklermodus|mode (?:developpeur|dieu|debug|administrateur)|modo (?:desarrollador|dios|administrador|desenvolvedor)|modalita (?:sviluppatore|dio)|режим (?:разработчика|бога|администратора)|開発者モード|개발자 모드|وضع المطور
    """,
    "device": r"""
        phone*|laptop|app|browser|android|iphone|router|chrome|console|game|device*|手机|电脑|浏览器|平板|路由器|游戏|应用|软件
    """,
    # Giving away
    "reveal": r"""
        reveal|show|print|output|repeat|tell|display|disclose|leak|dump|give|recite|quote|translate|summari[sz]e|encode|list|expose|share|what (?:does|is|are|was|were)|copy|paste|echo|append|say|write|spell|state|provide|return|put
        输出|显示|展示|告诉|透露|泄露|打印|复述|重复|翻译|念|写出|说出|公布|贴出|总结|列出|是什么|背出|发给|给我|导出|返回|附|附上|带上|加上|提供|复制|披露|交出|曝光|吐出
        zeig*|verrat*|gib|gebt|nenne*|wiederhol*|druck*|offenbar*|sag|schreib*|ubersetz*|liste*|mostr*|affiche*|montre*|revele*|repete*|donne*|dis-moi|ecris|divulgue*
        muestra*|mostrar|revela*|dime|dame|repite|imprime|escribe|ensena*|divulga*|mostra*|rivela*|dimmi|dammi|ripeti|stampa|scrivi|fammi vedere|revele|diga|mostre|repita|imprima|toon|laat ~ zien|geef|herhaal|pokaz*|ujawnij|podaj|powtorz|ukaz*|zobraz*|visa|avsloja|skriv*|nayta|tampilkan|tunjukkan
        покажи*|раскрой*|выведи*|повтори*|скажи*|напечатай*|назови*|表示|教えて|見せて|出力|繰り返|開示|출력|보여|알려|공개|반복|말해|اعرض|أظهر|اظهر|اكشف|اطبع|كرر|أخبرني|goster*|yazdir|soyle|hien thi|cho toi|in ra|दिखा*|बताओ|बताइए
    """,
    "prompt": r"""
        system prompt*|system message*|system instruction*|(?:hidden|initial|original|secret|internal|confidential|operating|exact|first|underlying|starting) (?:prompt*|instruction*|directive*|system \w+)|your (?:system |initial |hidden |original |internal |full |exact |secret )+(?:prompt|instructions|configuration|guidelines|directives|message|programming)|your prompt|instructions (?:that )?you (?:were|are|have been) (?:given|told|operating)|instructions (?:that )?you (?:got|received)|instructions (?:above|before)|words above|text above|everything above|sentences above|start of this conversation|developer message|you are operating under|admin pages?|preprompt|context window
        系统提示词?|系统消息|系统指令|系统设定|初始设定|初始指令|初始提示|内部指令|提示词|你的(?:全部|完整|原始|初始|内部|系统|隐藏)+(?:设定|指令|提示|规则|守则|配置)|你的(?:设定|指令|提示词)|你收到的(?:系统)?(?:消息|指令|指示)|开发者消息|隐藏指令|上面的(?:所有)?(?:文字|内容|指令)
        system-?prompt*|system-?anweisung*|systemnachricht*|system-?instruktion*|deine (?:\w+ )?(?:anweisungen|vorgaben|instruktionen)|internen anweisungen
        prompt systeme|invite systeme|instructions systeme|message systeme|(?:tes|vos) (?:\w+ )?(?:instructions|consignes)|instructions (?:internes|initiales)
        prompt del? sistema|instrucciones (?:internas|del sistema|iniciales|ocultas|que (?:te|recibiste))|tus instrucciones|mensaje del? sistema|prompt di sistema|istruzioni (?:di sistema|interne|iniziali|nascoste)|(?:tue|vostre) istruzioni|prompt d[eo] sistema|instrucoes (?:d[eo] sistema|internas|iniciais)|suas instrucoes
        systeemprompt*|systeeminstructie*|prompt* systemow*|instrukcj* systemow*|systemow* prompt*|systemov* (?:prompt*|pokyn*|zprav*)|systemprompt*|systeminstruktion*|prompt sistem|instruksi sistem
        системн* (?:промпт*|запрос*|инструкц*|сообщен*|подсказ*)|(?:твои|свои) (?:\w+ )?инструкции|システム ?(?:プロンプト|メッセージ|指示)|内部の指示|初期プロンプト|시스템 ?(?:프롬프트|메시지|지시|명령)|موجه النظام|تعليمات النظام|رسالة النظام|sistem (?:istem*|komut*|mesaj*|prompt*|talimat*)|loi nhac he thong|huong dan he thong|सिस्टम (?:प्रॉम्प्ट|निर्देश|संदेश)
    """,
    "others": r"""
        (?:other|another|all|every|previous|last|next|different) (?:users?|customers?|clients?|tenants?|members?)(?:'s?|s')?|users'|customers'
        (?:其他|别的|其它|所有|全部|全体|每个|上一位|上一个|前一位)的?(?:用户|客户|租户|会员)(?:们)?|(?:别人|他人|其他人|(?:其他|别的)(?:同事|员工))的
        anderer? (?:nutzer*|kunden|benutzer*)|andere[nr] (?:nutzer*|kunden|benutzer*)|autres (?:utilisateurs|clients)|otros (?:usuarios|clientes)|altri (?:utenti|clienti)|outros (?:usuarios|clientes)|других (?:пользовател*|клиент*)|他の(?:ユーザー|人|顧客)|다른 (?:사용자|고객|사람)|المستخدمين الآخرين|العملاء الآخرين
    """,
    "data": r"""
        data|preferences?|records?|memor(?:y|ies)|histor(?:y|ies)|conversations?|chats?|address(?:es)?|phone numbers?|emails?|passwords?|details|notes|have told you|told you|secrets|salar(?:y|ies)|accounts?|profiles?
        偏好|记录|数据|信息|资料|记忆|聊天|密码|隐私|历史|对话|手机号|电话|地址|名单|薪资|工资|邮箱|账号|内容
        daten|donnees|datos|dati|dados|данны*|データ|情報|履歴|데이터|정보|기록|بيانات|معلومات
    """,
    "send": r"""
        send|email|e-mail|mail|forward|post|upload|bcc|leak|exfiltrate|transmit|publish|sync|ship|fetch|visit|transfer|copy
        发送|发到|发给|发至|发往|转发|上传|提交到|同步到|寄到|推送|导出到|抄送|传到
        schick*|sende*|leite*|lade*|envoie*|envoyez|transmets|transfere*|envia|envie|enviar|manda|mande|invia*|inoltra*|spedisci|envie|mande|stuur|wyslij|posli|skicka|send
        отправ*|перешли*|вышли*|送信|送って|転送|보내|전송|أرسل|ارسل|gonder|gui
    """,
    "sensitive": r"""
        (?:customer|client|user|employee|member|patient|supplier|contact|private|personal|confidential|stored|full|entire|complete|all|internal)(?:'s|s'|s)? (?:\w+ ){0,2}(?:data|lists?|emails?|records?|details|information|database|notes|files|contacts|memor(?:y|ies)|messages|histor(?:y|ies)|conversations?)|credentials?|api keys?|passwords|customer list|client list
        客户|用户|名单|通讯录|数据库|聊天记录|密码|密钥|凭证|全部资料|所有资料|内部资料|记忆|员工信息|财务数据|对话内容
        kundendaten|kundenliste*|kunden|daten|clients?|donnees|clientes|datos|clienti|dati|dados|klienten|klientow|клиент*|данны*|顧客|個人情報|パスワード|고객|개인정보|비밀번호|العملاء|بيانات
    """,
    "outside": r"""
        [\w.+-]+@[\w-]+\.\w+|https?://[^\s]+|www\.[^\s]+|external|outside address|attacker|webhook|pastebin|外部|extern*|esterno|externo|externe|внешн*
    """,
    "keys": r"""
        credentials?|api keys?|passwords|secrets|tokens?|private keys?|environment variables|access keys?|connection strings?|密钥|凭证|环境变量|令牌|api ?key*|access ?key*|密码
    """,
    "yousee": r"""
        you (?:can )?(?:see|have|access|know|hold|store|find)|you've|你(?:能)?看[得到]+|你知道的?|你(?:所)?有的|你能访问|你掌握
    """,
    # Orders about money
    "approve": r"""
        goedkeuren|goed te keuren|betalen|freizugeben|genehmigen|freigeben|approuver|payer|valider|aprobar|pagar|autorizar|approvare|pagare|autorizzare|aprovar|אשר|תאשר|שלם|aproba*|plateste|platiti|hagyd jova|fizesd ki|jovahagy*|ενέκρινε|εγκρίνε*|πλήρωσε|อนุมัติ|จ่าย|одобрявай|плащай|odobri*|plati*|tvirtink*|apstiprin*|kinnita|تایید|منظور|অনুমোদন|aprubahan|bayaran|idhinisha|lipa|setujui|luluskan|bayar
        approve|approves|authori[sz]e|pay|release|clear|accept|book|waive|process|grant|transfer|wire|reimburse|pass|whitelist|settle|sign off|let ~ through|wave ~ through|wave through|rubber-?stamp|get approved|gets approved|(?:are|is|get|gets|be|goes|go|as) (?:\w+ ){0,2}(?:pre-?approved|approved|cleared|paid|authori[sz]ed|accepted|trusted|verified|whitelisted)|straight to payment
        genehmig*|freigeben|bezahle|zahle|gib ~ frei|brauchen keine|akzeptier*|approuv*|valide*|paye*|accepte*|aprueb*|apruebe*|aprobad*|paga*|acepta*|autoriza*|approva*|accetta*|autorizza*|aprova*|aprove|pague|aceite|keur ~ goed|betaal|zatwierdz*|zaplac*|schval*|godkann*|hyvaksy
        одобр*|утверд*|оплат*|оплачив*|разреш*|принимай*|承認|支払|許可|通して|승인|지불|결제|허가|وافق|ادفع|اعتمد|onayla|ode|phe duyet|thanh toan
    """,
    "money": r"""
        חשבונית|חשבוניות|תשלום|תשלומים|facturile|facturi|plata|plati|plati*|szamla*|szamlat|kifizetes*|τιμολόγι*|τιμολογι*|πληρωμ*|ใบแจ้งหนี้|การชำระเงิน|фактури*|плащан*|racun*|saskait*|rekin*|arve*|فاکتور*|پرداخت|ادائیگی|চালান|পেমেন্ট|resibo|malipo|ankara|tagihan|faktur
        invoices?|duplicates?|bills?|payments?|claims?|expenses?|expense claims?|suppliers?|vendors?|transfers?|transactions?|purchases?|refunds?|contracts?|receipts?|reimbursements?|payouts?|purchase orders?|everything from|anything from
        rechnung*|zahlung*|uberweisung*|spesen|facture*|paiement*|virement*|factura*|pago|pagos|gasto*|fattur*|pagament*|spese|fatura*|pagamento*|facturen|factuur|betaling*|faktur*|platnosc*|faktura*
        счет*|платеж*|накладн*|расход*|請求書|支払い|経費|インボイス|청구서|송장|비용|결제|الفواتير|فواتير|فاتورة|المدفوعات|fatura*|odeme*|hoa don
    """,
    "unchecked": r"""
        zonder (?:\w+ )?(?:controle|te controleren)|ללא בדיקה|בלי לבדוק|fara (?:\w+ )?(?:verific*|control*|aprobar*|intrebari)|ellenorzes nelkul|kerdes nelkul|χωρίς έλεγχο|χωρις ελεγχο|โดยไม่ต้องตรวจสอบ|โดยอัตโนมัติ|без проверка|bez (?:provjere|preverjanja|provere)|be patikrinimo|bez parbaudes|ilma kontrollita|بدون بررسی|بغیر جانچ|যাচাই ছাড়া|nang walang pagsusuri|bila ukaguzi|tanpa (?:pemeriksaan|memeriksa|konfirmasi)|tanpa semakan
        without (?:\w+ ){0,4}(?:reviews?|checks?|checking|approval|confirmation|confirming|asking|verification|verifying|looking|humans?|questions?|sign-?off|inspection|oversight|reading)|no (?:\w+ ){0,3}(?:reviews?|checks?|approval|confirmation|verification|questions|human|sign-?off|inspection|oversight)|automatically|auto-?approv*|by default|immediately|straight away|blindly|silently|in advance|regardless
        ohne (?:\w+ )?(?:prufung|kontrolle|freigabe|ruckfrage*|bestatigung|genehmigung)|automatisch|ungepruft|sans (?:\w+ )?(?:verification*|controle*|validation|confirmation|demander)|automatiquement
        sin (?:\w+ )?(?:revision|revisar|verificacion|verificar|control*|aprobacion|confirmacion|preguntar)|automaticamente|senza (?:\w+ )?(?:controll*|verific*|approvazion*|conferm*|chiedere)|sem (?:\w+ )?(?:revis*|verific*|control*|aprovac*|confirm*|perguntar)|zonder (?:\w+ )?(?:controle|goedkeuring|bevestiging)|bez (?:\w+ )?(?:weryfikacji|kontroli|sprawdzania|kontroly|overeni|schvaleni)|utan (?:\w+ )?(?:granskning|kontroll|godkannande)
        без (?:\w+ )?(?:проверк*|подтвержден*|согласован*|одобрен*)|автоматически|(?:確認|検証|審査|チェック)(?:なし|せず|不要|を省略)|自動(?:で|的)|(?:검토|확인|검증|승인) ?없|자동으로|(?:دون|بدون) (?:مراجعة|تحقق)|تلقائي*|kontrol etmeden|otomatik|onaysiz|khong can (?:kiem tra|xac nhan)
    """,
    "exempt": r"""
        (?:needs?|requires?) no (?:\w+ ){0,2}(?:reviews?|checks?|approval|confirmation|verification|sign-?off)|no (?:\w+ ){0,2}(?:reviews?|checks?|approval|confirmation|verification|sign-?off) (?:is |are )?(?:needed|required|necessary)|(?:don't|do not|doesn't|does not|never) (?:need|require) (?:\w+ ){0,2}(?:reviews?|checks?|checking|approval|confirmation|verification|sign-?off)
        (?:skip*|bypass|waive|turn off|disable|omit|circumvent|suppress) (?:\w+ ){0,3}(?:reviews?|checks?|approval|verification|confirmation|filters?|controls?|warnings?|sign-?off|screening|audit)|no human|wave (?:\w+ ){0,2}through|let (?:\w+ ){0,2}through|(?:are|is) not duplicates?|as (?:safe|trusted|cleared|compliant|low.risk)|risk (?:score|level|rating) ~ (?:zero|0|none|low)
        (?:brauchen|benotigen|braucht) keine (?:\w+ )?(?:prufung|freigabe|genehmigung|kontrolle|bestatigung)|aucune (?:verification|validation) (?:n'est )?(?:necessaire|requise)|no (?:necesitan|requieren) (?:revision|aprobacion)|non (?:serve|richiedono) (?:approvazione|controllo)|nao (?:precisam|requerem) de? (?:revisao|aprovacao)|не требу* (?:проверк*|одобрен*)
    """,
    "self": r"""
        i|we|he|she|they|my (?:boss|manager|bank|husband|wife|company|team|employer)|our \w+|ich|wir|je|nous|yo|nosotros|io|noi|eu|я|мы|私|我|我们|咱们|저|나는|우리|أنا|نحن
    """,
    "forbid": r"""
        (?:never|don't|do not|mustn't|must not|can't|cannot|should not|shouldn't|not) (?:\w+ ){0,2}(?:pay|approve|accept|book|process|release|send|transfer|wire|authori[sz]e)|nie|niemals|keine zahlung|jamais|n'approuve pas|nunca|mai|никогда|не (?:одобр*|оплач*)|絶対に|しないで|마세요|لا توافق
    """,
    "promised": r"""
        you (?:already |have |had |once )?(?:promised|agreed|said you would|told me you)|according to your memor(?:y|ies)|your memory says|as we agreed|our (?:earlier |previous )?agreement|(?:conversation|session|chat) summary|summary of the (?:session|conversation|chat)|previously authori[sz]ed|on the whitelist
        你(?:昨天|之前|上次|曾经?|早就|已经|以前)?(?:答应|承诺|保证|说好|同意)|我们(?:之前|上次|昨天)?的?约定|按照?约定|你的记忆里|记忆中写着|会话摘要|对话总结|用户已授权|助手思考
    """,
    "favour": r"""
        approve|approves|approved|pay|whitelist*|no checks|no longer be prompted|not to be prompted|without looking|without checking|automatic payments?|answer freely|comply|skip*
        不审|免审|自动批准|自动付款|自动通过|直接通过|直接放行|放行|不用审|不查|跳过|不拦
    """,
    "standing": r"""
        from now on|going forward|always|whenever|every time|remember|keep in mind|note|in (?:the )?future|for (?:all )?(?:later|future)|permanently|by default|never|until further notice|from here on|any|all|every|each
        ab (?:sofort|jetzt)|immer|kunftig|in zukunft|merke dir|merk dir|desormais|toujours|a partir de maintenant|retiens|siempre|a partir de ahora|recuerda|de ahora en adelante|sempre|d'ora in poi|da ora|ricorda|a partir de agora|lembre*|voortaan|altijd|odtad|zawsze|zapamietaj|od ted|vzdy|fran och med nu|alltid
        всегда|впредь|с этого момента|запомни|отныне|今後|これから|常に|いつも|覚えて|앞으로|항상|기억|이제부터|من الآن|دائم*|تذكر|artik|her zaman|tu nay
    """,
    "consult": r"""
        (?:ask|remind|tell|notify|warn|alert|inform|consult|ping|check with|confirm with|wait for) (?:me|us|my|the manager|anna|lin)|my (?:\w+ )?(?:approval|signature|confirmation|consent|ok|okay)|let me (?:know|check|see)|i (?:want|need) to|before (?:you |we )?(?:pay|approve|book)
        问我|通知我|提醒我|告诉我|给我看|发给我|找我|等我|我确认|我签字|我审|我批|经我|由我|征得我|叫我
        frag* mich|informier* mich|erinner* mich|demande-moi|previens-moi|preguntame|avisame|chiedimi|avvisami|pergunte-me|avise-me|спроси меня|сообщи мне|私に(?:聞|確認|知らせ)|나에게|내게
    """,
    # Claims
    "authority": r"""
        admin|admins|administrator*|developer|developers|creator|root|superuser|security team|operator|openai|anthropic|ceo|cfo|cto|chief \w+ officer|compliance|management|head office|headquarters|it department|support team|legal|owner of this system|platform team|openai support|system|user has|customer has|board
        管理员|开发者|开发商|超级用户|安全团队|总部|官方|平台|总经理|总裁|董事长|财务总监|老板|领导|CTO|CEO|CFO|系统|用户|客户|法务|合规部|上级|主管部门|root|最高权限
        administrator*|entwickler|geschaftsfuhr*|administrateur*|developpeur|direction|administrador*|desarrollador*|director|amministrator*|sviluppator*|direttore|desenvolvedor|beheerder|administratorem|spravce|администратор*|разработчик*|директор*|管理者|開発者|社長|관리자|개발자|사장|المدير|المسؤول|المطور|yonetici|quan tri
    """,
    "grant": r"""
        authori[sz]e you|authori[sz]es you|authori[sz]ed you|grant*|permit*|allow*|cleared|you are cleared|you may|unlock*|give you|gave you|given you|order you|command you|instruct you|has (?:already )?(?:agreed|approved|authori[sz]ed|granted|confirmed)|have (?:already )?(?:agreed|approved|authori[sz]ed|granted)|signed off|approved (?:automatic|skipping)|need you to|want you to|run whatever|hereby|full access|admin access|root privileges|permission
        (?:公告|通知)[:：]|授权|许可|允许|批准|同意过|同意了|下令|命令你|要求你|口头批准|签字|特批|拥有最高权限|最高权限|你可以|赋予你|授予你|解除|已开通|说了|答应过|确认过
        erteile dir|erlaube (?:ich )?dir|berechtige|autorise*|permets|je t'autorise|te autorizo|autorizo|autoriza*|ti autorizzo|autorizzo|ti concedo|autorizo voce|machtig je|upowazniam|opravnuji|разреша*|уполномоч*|предоставля*|権限を与え|許可(?:し|する)|허가|허락|권한을 (?:부여|준)|أسمح لك|أفوض*|أصرح|yetki veriyorum
    """,
    "dodge": r"""
        skip*|bypass*|turn(?:ing)? off|switch(?:ing)? off|disable|disabling|waive|circumvent|override|ignore|unlock(?:ing)?|lift|remove|exempt|don't need (?:confirmation|approval|checks?)|do not need (?:confirmation|approval)|without (?:confirmation|approval|checks|asking|verification)|automatic payments?|not to be (?:asked|prompted)|no need|needn't|run whatever|execute whatever|full access|admin access|all requests|everything i ask
        跳过|绕过|免去|免除|略过|无需|不用|不必|不走|关闭|停用|解除|取消|自动|直接|全部通过|全部放行|省略|无视
        umgehen|ubersprin*|auszuschalten|vollen zugriff|contourner|sauter|passer outre|desactiver|acces complet|saltarte|saltar|omitir|desactivar|acceso total|aggirare|saltare|disattivare|accesso completo|contornar|pular|ignorar|overslaan|omijac|pomijac|obejit|пропускать|обходить|отключить|полный доступ|省略|回避|スキップ|無効|건너뛰|생략|우회|비활성|تخطي|تجاوز|تعطيل|atlamana|bo qua
    """,
    "check": r"""
        checks?|reviews?|verification|approvals?|confirmations?|filters?|controls?|safety|validation|authori[sz]ation|limits?|restrictions?|oversight|policy|policies|audit|sign-?off|security|access|whatever i ask|everything i ask|payments
        审批|审核|复核|验证(?!码)|确认|核验|核对|校验|风控|检查|流程|限制|权限|复查|付款|转账|通过|放行
        prufung*|kontroll*|freigabe|zugriff|verification*|controle*|acces|control*|verificacion*|acceso|controll*|verific*|accesso|controle*|kontrol*|weryfikacj*|overeni|проверк*|контрол*|доступ|検証|確認|審査|검증|확인|검토|التحقق|المراجعة|الفحوصات|kontrol*|dogrulama|kiem tra
    """,
    # Text that is data and speaks to the machine
    "insert": r"""
        include*|append|add|added|insert|output|echo|mention|attach|contain*|ends? with|end your|begin with|start with|print|repeat|put|quote|embed|prefix|must appear|place
        附上|加上|输出|包含|插入|添加|写上|注明|带上|附加|署上|以.{0,12}结尾
        fuge*|hange*|erwahne*|schreib*|hinzufugen|hinzugefugt|ajoute*|insere*|inclu*|mentionne*|anad*|agrega*|incluye|inserta*|aggiung*|aggiunt*|inseri*|includi*|adicione|inclua|insira|voeg|dodaj|umiesc|pridej|lagg till|добавляй*|добавь*|вставь*|включи*|付けて|追加|含め|記載|추가|포함|붙여|أضف|اضف|أدرج|ekle
    """,
    "reply": r"""
        (?:your|every|each|any|all|final|future|the end of (?:the|your)) (?:\w+ ){0,2}(?:reply|replies|response*|answer*|summary|summaries|report*|output*|review*|message*|conclusion)|your reply|whenever this|everything you write
        回答|回复|答复|总结|摘要|报告|输出|结论|评审
        antwort*|zusammenfassung*|reponse*|resume*|respuesta*|resumen*|rispost*|riassunt*|sommari*|resposta*|resumo*|antwoord*|samenvatting*|odpowied*|podsumowan*|odpoved*|svar|ответ*|сводк*|回答|返信|要約|답변|응답|요약|إجابة|رد|ردك|الملخص|yanit*|cevap*
    """,
    "call": r"""
        (?:call|invoke|use|run|execute|trigger|perform)(?: the| tool| function)* ?`?[a-z]+_[a-z_]+|(?:should|must|now|please) (?:run|call|execute|invoke|fetch|visit|forward|send|delete|approve|open)|do as told|do what it says
        调用|执行|运行|触发|rufe ~ auf|appelle*|llama a|chiama|вызови*|呼び出|실행|호출|نفذ|استدع
    """,
    "address": r"""
        (?:note|message|instructions?|attention|important|notice|reminder|hint|memo|directive)s?\b[^.!?\n]{0,14}\b(?:to|for) (?:the |any |all |our )?(?:ai|bots?|assistants?|(?:ai |coding |language )*agents?|llms?|language models?|models?|chatbots?|reviewers? bots?|automated \w+)
        (?:ai|llm|model|bot|assistant|agent|reviewer bots?|chatbot|ai reader|ai agents?|ai reviewers?)\s*[:：]|if you(?:'re| are) an? (?:ai|llm|language model|assistant|bot|agent)|(?:the )?(?:assistant|ai|model|agent|bot|llm) (?:should|must|shall|has to|needs to|will now|is (?:required|instructed) to)|persist this to memory|to complete verification
        (?:致|给|请)(?:ai|AI|人工智能|智能|大)?(?:助手|机器人|模型|智能体)|(?:助手|机器人|模型|智能体|智能审核系统|审核系统|AI)(?:请|注意|读到|看到|应当|应该|必须|务必|需要|在总结时)|读到此处|读到本文|阅读本文的(?:AI|模型|助手)
        (?:hinweis|anweisung*|nachricht) (?:an|fur) (?:den|die|das) (?:assistenten|ki|bot|modell)|(?:note|instruction*|message) (?:a|pour) (?:l'|la |le |les )?(?:ia|assistant*|modele*|bots?)|a l'attention de l'(?:ia|assistant)|nota (?:para|del) (?:el |la )?(?:asistente|ia|sistema|modelo)|istruzion* (?:per|all)(?: |')?(?:l')?(?:assistente|ia|il modello)|nota (?:di sistema|per l'assistente)|note systeme|systemhinweis|nota (?:para|ao) (?:o )?assistente
        (?:инструкц*|указан*|сообщени*) (?:для|ассистент*) ?(?:ассистент*|ии|бот*|модел*)?|(?:AI)?アシスタント(?:へ|は|への)|AIへ|(?:AI )?(?:어시스턴트|모델)(?:에게|는|은)|إلى المساعد|ملاحظة للمساعد
    """,
}  # fmt: skip


def bare(text: str) -> str:
    """`text` in small letters and without accents; scripts whose marks make other letters stay as they are."""
    return simplified(text).translate(_BARE).lower().translate(_SPECIAL)


@cache
def pattern_of(concept: str) -> re.Pattern[str]:
    """What finds a word of this concept in a bare text."""
    phrases = [_phrase(phrase) for line in WORDS[concept].strip().splitlines() for phrase in _phrases(line.strip())]
    words = [phrase for phrase in phrases if not _NO_SPACES.search(phrase)]
    signs = [phrase for phrase in phrases if _NO_SPACES.search(phrase)]
    # The look-behind stands before the choice, so that only the beginnings of words are tried.
    spelled = f"{_NO_LETTER_BEFORE}(?:{'|'.join(words)}){_NO_LETTER_AFTER}" if words else ""
    return re.compile("|".join(filter(None, (spelled, *signs))))


def _phrases(line: str) -> list[str]:
    """The line cut at each `|` that stands in no parenthesis."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(line):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            parts.append(line[start:index])
            start = index + 1
    return [part for part in (*parts, line[start:]) if part]


def _phrase(phrase: str) -> str:
    text = re.sub(r"(?<=[a-z\u0400-\u04ff\u0600-\u06ff])\*", r"\\w*", bare(phrase))
    return text.replace(" ~ ", rf"\b{_GAP}\b").replace(" ?", r"\s?").replace(" ", r"\s+")
