"""What the program says, in Chinese and English."""

import locale
from collections.abc import Mapping

from invoices.findings import Lang
from remembrancer.rule_names import RULE_NAMES
from remembrancer.settings import Settings

TEXTS: Mapping[str, tuple[str, str]] = {
    "status.clean": ("待入账", "to be booked"),
    "status.waiting": ("等待审批", "waiting"),
    "status.held": ("暂扣", "held"),
    "status.quarantined": ("隔离待审", "in quarantine"),
    "status.released": ("已放行", "released"),
    "status.discarded": ("已删除", "discarded"),
    "status.gone": ("已不存在", "gone"),
    "quarantine.released": ("{by} 已放行 {id}，今后算作记忆。", "{by} released {id}: it is remembered from now on."),
    "quarantine.discarded": ("{by} 已删除 {id}。", "{by} discarded {id}: it is deleted."),
    "quarantine.gone": ("{id} 已不存在：本人已要求忘掉。", "{id} is gone: the person had it forgotten meanwhile."),
    "quarantine.quarantined": ("{id} 仍在隔离中。", "{id} is still in quarantine."),
    "status.advised": ("仅供参考", "advised only"),
    "status.booked": ("已入账", "booked"),
    "status.reversed": ("已冲回", "reversed"),
    "status.rejected": ("已驳回", "rejected"),
    "status.unreadable": ("无法读取", "unreadable"),
    "status.duplicate": ("重复", "duplicate"),
    "status.already_audited": ("已审过", "already audited"),
    "field.seller": ("销售方", "Seller"),
    "field.seller_tax_id": ("销售方税号", "Seller tax id"),
    "field.buyer": ("购买方", "Buyer"),
    "field.buyer_tax_id": ("购买方税号", "Buyer tax id"),
    "field.code": ("发票代码", "Code"),
    "field.number": ("发票号码", "Number"),
    "field.date": ("开票日期", "Date"),
    "field.currency": ("币种", "Currency"),
    "field.net": ("金额", "Net"),
    "field.tax": ("税额", "Tax"),
    "field.total": ("价税合计", "Total"),
    "trigger.high_stakes": ("高风险", "high stakes"),
    "trigger.guardrail": ("触犯规则", "guardrail"),
    "trigger.loop": ("反复操作", "loop"),
    "trigger.low_confidence": ("把握不足", "low confidence"),
    "decision.approve": ("批准", "approved"),
    "decision.reject": ("驳回", "rejected"),
    "decision.edit": ("更正", "edited"),
    "decision.respond": ("询问提交人", "asked the submitter"),
    "audit.title": ("批次 {batch}：{count} 张发票", "Batch {batch}: {count} {count:invoice|invoices}"),
    "audit.reading": ("审核发票", "Auditing"),
    "audit.status": ("状态", "Status"),
    "audit.count": ("张数", "Invoices"),
    "audit.amount": ("金额", "Amount"),
    "audit.nothing_waits": ("没有发票等待审批。", "Nothing waits for a person."),
    "audit.waits": ("{count} 张发票等待审批：", "{count} waiting for a person:"),
    "audit.more": ("……另有 {count} 张，用 remembrancer reviews 查看。", "... and {count} more: remembrancer reviews"),
    "audit.because": ("原因", "Why it waits"),
    "audit.candidates": ("可能的税号：{candidates}", "The tax id may be: {candidates}"),
    "audit.known": ("{value}（名录中有）", "{value} (in the register)"),
    "audit.next": ("接下来可以输入：", "What to type next:"),
    "audit.type_approve": ("按特殊业务批准入账", "book it as special business"),
    "audit.type_reject": ("驳回，理由留痕", "refuse it; the reason is kept"),
    "audit.type_edit": ("更正税号后入账", "correct it and book it"),
    "audit.type_report": ("生成报告", "write the report"),
    "audit.unreadable": ("无法读取：{reason}", "Unreadable: {reason}"),
    "audit.before": (
        "{count} 张发票以前审过：{statuses}。",
        "{count} of these were audited before: {statuses}.",
    ),
    "reason.approve": ("特殊业务，已核实", "special business, verified"),
    "reason.reject": ("涉嫌虚假", "forged"),
    "reason.edit": ("已与销售方电话核实代码", "code confirmed with the seller"),
    "reviews.title": ("等待审批（{count}）", "Waiting for a person ({count})"),
    "reviews.none": ("没有等待审批的事项。", "Nothing waits for a person."),
    "reviews.since": ("自 {since}", "since {since}"),
    "decide.done": (
        "{review}：{by} {decision}，发票现为“{status}”。",
        "{review}: {decision} by {by}; the invoice is now {status}.",
    ),
    "decide.acted": (
        "{review}：{by} {decision}，该操作现为“{status}”。",
        "{review}: {decision} by {by}; the action is {status}.",
    ),
    "decision.answered": ("代为回答", "answered"),
    "action.proposed": ("等待审批", "waiting"),
    "action.approved": ("获准", "approved"),
    "action.started": ("执行中", "under way"),
    "action.done": ("已执行", "done"),
    "action.failed": ("失败", "failed"),
    "action.unknown": ("中断，结果不明", "broken off, its outcome unknown"),
    "action.refused": ("已拒绝", "refused"),
    "action.blocked": ("已拦下", "blocked"),
    "action.answered": ("已代为回答", "answered by a person"),
    "decide.open": ("{review} 仍在等待：{why}", "{review} still waits: {why}"),
    "decide.asked": ("已转达提交人，{review} 仍在等待。", "The submitter was asked; {review} still waits."),
    "reverse.done": ("{invoice} 已由 {by} 冲回。", "{invoice} was reversed by {by}."),
    "vouchers.written": ("{count} 张凭证已写入 {path}", "{count} {count:voucher|vouchers} written to {path}"),
    "report.written": ("报告已写入 {path}", "Report written to {path}"),
    "policy.fine": (
        "{path} 有效：{companies}，限额 {limit} {currency}",
        "{path} is valid: {companies}, limit {limit} {currency}",
    ),
    "policy.preview": (
        "按这份政策重看 {count} 张已审发票：{wait} 张会改为等待审批，{pass_} 张会改为直接通过。",
        "Of {count} audited invoices {wait} more would have waited for a person, and {pass_} would have passed.",
    ),
    "rules.rule": ("规则", "Rule"),
    "rules.fired": ("触发", "fired"),
    "rules.overridden": ("放行", "overridden"),
    "rules.corrected": ("更正", "corrected"),
    "rules.rejected": ("驳回", "rejected"),
    "rules.waiting": ("等待", "waiting"),
    "rules.overturned": ("推翻率", "overturned"),
    "rules.none": ("还没有规则触发过。", "No rule has fired yet."),
    "doctor.fine": ("正常", "fine"),
    "doctor.log": ("审计日志（{rows} 行）", "Audit log ({rows} rows)"),
    "doctor.ledger": ("账本持久性", "Ledger commits survive a power cut"),
    "doctor.checkpoints": ("检查点持久性", "Checkpoint commits survive a power cut"),
    "doctor.bookings": ("账本与发票一致", "Every booked invoice has one booking"),
    "doctor.unapplied": ("已决定而未执行的审批", "Decisions without effect"),
    "html.title": ("发票审核报告", "Invoice audit report"),
    "html.batch": ("批次", "Batch"),
    "html.company": ("公司", "Company"),
    "html.submitter": ("提交人", "Submitter"),
    "html.opened": ("开始", "Opened"),
    "html.made": ("报告时间", "Report of"),
    "html.limit": ("单张限额", "Limit per invoice"),
    "html.policy": ("政策指纹", "Policy digest"),
    "html.rules": ("规则集版本", "Rule set"),
    "html.lowered": (
        "规则 {rule} 由 {by} 于 {on} 降为 {to}：{reason}",
        "Rule {rule} was lowered to {to} by {by} on {on}: {reason}",
    ),
    "html.degree": ("监督方式", "Oversight"),
    "html.watched": ("运行期间的监督", "How the run was watched"),
    "html.braked": ("{by} 于 {at} 拉下刹车：{why}", "{by} pulled the brake at {at}: {why}"),
    "html.released": ("{by} 于 {at} 松开：{why}", "released by {by} at {at}: {why}"),
    "html.limit_changed": (
        "{by} 于 {at} 将限额 {name} 改为 {value}：{why}",
        "{by} changed the limit {name} to {value} at {at}: {why}",
    ),
    "html.accepted": ("由 {by} 于 {at} 采纳：{why}", "accepted by {by} on {at}: {why}"),
    "html.sampled": ("抽查：自动入账后由人复核", "sampled: booked by itself, checked by a person afterwards"),
    "html.invoices": ("发票", "Invoices"),
    "html.booked_sum": ("已入账金额", "Booked"),
    "html.waiting_sum": ("等待审批金额", "Waiting"),
    "html.by_status": ("按状态", "By status"),
    "html.by_rule": ("按规则", "By rule"),
    "html.no_findings": ("没有规则触发。", "No rule fired."),
    "html.attention": ("需要关注的发票", "Invoices that needed attention"),
    "html.findings": ("发现", "Findings"),
    "html.read": ("读到", "read"),
    "html.expected": ("应为", "expected"),
    "html.where": ("位置", "where"),
    "html.decisions": ("决定", "Decisions"),
    "html.undecided": ("尚未决定", "Not decided yet"),
    "html.put_back": ("未采纳", "put back"),
    "html.won": ("已生效", "took effect"),
    "html.too_late": ("已被他人先决定", "somebody else was first"),
    "html.before": ("原值", "before"),
    "html.after": ("新值", "after"),
    "html.behalf": ("代 {name}", "for {name}"),
    "html.override": ("越过规则：{rules}", "override of {rules}"),
    "html.special": ("特殊业务（人工放行）", "special business (override)"),
    "html.corrected": ("更正后入账", "booked after correction"),
    "html.reversal": ("冲回", "reversed"),
    "html.cleared": ("已更正", "corrected"),
    "html.first": ("先到的发票", "First brought by"),
    "html.all": ("全部发票", "All invoices"),
    "html.file": ("文件", "File"),
    "html.status": ("状态", "Status"),
    "html.hash": ("文件 SHA-256", "File SHA-256"),
    "html.not_checked": ("未检查的事项", "What was not checked"),
    "html.not_checked_always": (
        "没有向税务机关联网查验真伪，也没有查询 VIES。",
        "No live look-up at a tax office and none in VIES was made.",
    ),
    "html.not_executed": (
        "规则“{rule}”在 {count} 张发票上未执行：{why}",
        "Rule “{rule}” was not executed on {count} {count:invoice|invoices}: {why}",
    ),
    "html.log_fine": ("审计日志 {rows} 行，哈希链完整。", "The audit log has {rows} rows and its hash chain is whole."),
    "html.log_fault": ("审计日志有误：{fault}", "The audit log is damaged: {fault}"),
    "html.nothing": ("没有。", "None."),
    "chat.hello": (
        "{user}，你好。/why 说明记忆的来由，/memory 列出记忆，/forget ID 忘掉一条，/quit 结束。（会话 {thread}）",
        "Hello {user}. /why tells where a memory comes from, /memory lists them, /forget ID deletes one, /quit ends."
        " (thread {thread})",
    ),
    "chat.prompt": ("你> ", "you> "),
    "memory.none": ("没有这样的记忆。", "Nothing of that is remembered."),
    "memory.reason": (
        "{content}：{date} 在会话 {thread} 的消息 {message} 里说过“{quote}”（规则 {rule}）",
        "{content}: on {date}, in message {message} of thread {thread}, it was said “{quote}” (rule {rule})",
    ),
    "memory.forgotten": ("已忘掉 {id}。", "{id} is forgotten."),
    "memory.imported": ("新增 {count} 条记忆。", "{count} new {count:memory|memories}."),
    "memory.unreadable": (
        "第 {number} 项读不了，已跳过：{why}",
        "item {number} was passed over: {why}",
    ),
    "memory.health": (
        "当前记忆 {current}，关键词索引 {keywords}，向量 {vectors}",
        "{current} current memories, {keywords} in the keyword index, {vectors} with a vector",
    ),
    "memory.degraded": ("{part} 没有响应，结果不完整。", "{part} did not answer; the result is incomplete."),
    "memory.dropped": ("另有 {count} 条相关度不够，没有列出。", "{count} more were too far from the question."),
    "outcome.stored": ("记住", "stored"),
    "outcome.reinforced": ("再次确认", "reinforced"),
    "outcome.superseded": ("更新", "superseded"),
    "outcome.coexists": ("并存", "stands beside"),
    "outcome.proposed": ("待确认", "waits for an answer"),
    "outcome.quarantined": ("隔离待审", "quarantined"),
    "outcome.blocked": ("不能保存", "blocked"),
    "outcome.forgotten": ("已忘掉", "forgotten"),
    "outcome.failed": ("失败，会再试", "failed, is tried again"),
}


class Count(int):
    """A number that knows its noun: `{count:item|items}`; by itself it is written with its thousands grouped."""

    def __format__(self, spec: str) -> str:
        """The singular or the plural, where both are given."""
        one, parted, many = spec.partition("|")
        if parted:
            return one if self == 1 else many
        return format(int(self), spec or ",")


def filled(text: str, **words: object) -> str:
    """A text with its words filled in; a whole number called `count` is a `Count`."""
    count = words.get("count")
    return text.format(**words | ({"count": Count(count)} if isinstance(count, int) else {}))


class Speech:
    """Says texts in one language."""

    def __init__(self, lang: Lang) -> None:
        """Speak this language."""
        self.lang: Lang = lang
        self._column = 0 if lang == "zh" else 1

    def __call__(self, key: str, **words: object) -> str:
        """The text of this key with its words filled in."""
        return self.of(TEXTS[key], **words)

    def rule(self, rule: str) -> str:
        """A rule's short name; its id where it has none, as a standard's own rules."""
        return RULE_NAMES[rule][self._column] if rule in RULE_NAMES else rule

    def of(self, text: tuple[str, str], **words: object) -> str:
        """A text given in zh and en, in this language, with its words filled in."""
        return filled(text[self._column], **words)


def speech_for(settings: Settings, asked: str | None = None) -> Speech:
    """The language asked for, else the configured one, else the locale's; English where none says Chinese."""
    lang = asked or settings.lang or (locale.getlocale()[0] or "")
    return Speech("zh" if lang.lower().startswith(("zh", "chinese")) else "en")
