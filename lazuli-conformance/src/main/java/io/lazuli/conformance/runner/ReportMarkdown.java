package io.lazuli.conformance.runner;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.StorageService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes reports as a Markdown page. It has a table of areas for each service, with one column for
 * each report, and then lists the failures of each report. Failed invocations of one method share a
 * line.
 */
final class ReportMarkdown {

  /** The number of failures listed for each area in a comparison. */
  private static final int COMPARISON_LINES_MAX = 6;

  private static final int NAMES_MAX = 2;

  private static final String INTRODUCTION =
      """
      The number of cases of `lazuli-conformance` that pass, by area. The cases use the official SDKs and raw
      requests; each names the section of the protocol or the recording that is its evidence. Each
      invocation of a parameterised case counts. "By the reference" leaves out the cases that the reference
      does not decide: there, another service may differ and still be right.""";

  private static final String HOW_TO_COMPARE =
      """


      `lazuli-conformance/score-card` writes this page, with a sample of the failures. Azure has no column:
      its documentation and recordings of its answers are what the cases expect. To run all cases against
      any endpoint:
      `lazuli conformance --endpoint URL --account NAME --json FILE --markdown FILE`.""";

  private final List<Report> reports;
  private final int linesMax;
  private final StringBuilder text = new StringBuilder();

  private ReportMarkdown(List<Report> reports, int linesMax) {
    this.reports = reports;
    this.linesMax = linesMax;
  }

  /** Returns a page for one report, with every failed case. */
  static String full(Report report) {
    return page(List.of(report), Integer.MAX_VALUE);
  }

  /**
   * Returns a page that compares several reports, with fewer details. Reports with the same label
   * are merged.
   */
  static String comparison(List<Report> reports) {
    return page(merged(reports), COMPARISON_LINES_MAX);
  }

  private static String page(List<Report> reports, int linesMax) {
    ReportMarkdown page = new ReportMarkdown(reports, linesMax);
    boolean compares = linesMax == COMPARISON_LINES_MAX;
    page.line("# Score card").line("").line(INTRODUCTION + (compares ? HOW_TO_COMPARE : ""));
    page.line("");
    page.services().forEach(page::table);
    page.notes();
    page.reports.forEach(page::failures);
    page.reports.forEach(page::notApplicable);
    return page.text.toString();
  }

  private static List<Report> merged(List<Report> reports) {
    Map<String, Report> byLabel = new LinkedHashMap<>();
    reports.forEach(report -> byLabel.merge(report.label(), report, ReportMarkdown::merge));
    return List.copyOf(byLabel.values());
  }

  private static Report merge(Report one, Report other) {
    List<CaseResult> cases = new ArrayList<>(one.cases());
    cases.addAll(other.cases());
    return new Report(
        one.label(),
        one.note(),
        one.endpoint(),
        one.date(),
        one.seconds() + other.seconds(),
        cases);
  }

  private Set<StorageService> services() {
    TreeSet<StorageService> services = new TreeSet<>();
    reports.forEach(report -> services.addAll(report.scores().keySet()));
    return services;
  }

  private void table(StorageService service) {
    StringBuilder head = new StringBuilder("| " + service.word() + " |");
    reports.forEach(report -> head.append(' ').append(report.label()).append(" |"));
    line(head.toString()).line("| --- |" + " ---: |".repeat(reports.size()));
    TreeSet<Area> areas = new TreeSet<>();
    reports.forEach(report -> areas.addAll(areas(report, service).keySet()));
    for (Area area : areas) {
      row(
          area.word(),
          reports.stream()
              .map(report -> areas(report, service).getOrDefault(area, Report.Score.NONE))
              .toList());
    }
    row("**all**", reports.stream().map(report -> report.score(service)).toList());
    row(
        "by the reference",
        reports.stream().map(report -> report.scoreByReference(service)).toList());
    line("");
  }

  private static Map<Area, Report.Score> areas(Report report, StorageService service) {
    return report.scores().getOrDefault(service, Map.of());
  }

  private void row(String name, List<Report.Score> scores) {
    StringBuilder row = new StringBuilder("| " + name + " |");
    scores.forEach(score -> row.append(' ').append(cell(score)).append(" |"));
    line(row.toString());
  }

  private static String cell(Report.Score score) {
    long tried = score.passed() + score.failed();
    return tried == 0 ? "not applicable" : score.passed() + " of " + tried + ", " + score.percent();
  }

  private void notes() {
    for (Report report : reports) {
      String note = report.note().isEmpty() ? "" : "; " + report.note();
      line("- %s: %s, %d s%s".formatted(report.label(), report.date(), report.seconds(), note));
    }
    line("");
  }

  private void failures(Report report) {
    List<CaseResult> failed = report.with(Outcome.FAILED);
    line("## Failures of " + report.label()).line("");
    if (failed.isEmpty()) {
      line("None.").line("");
      return;
    }
    Map<String, List<CaseResult>> byArea = new TreeMap<>();
    for (CaseResult one : failed) {
      String area = one.marks().service().word() + ", " + one.marks().area().word();
      byArea.computeIfAbsent(area, key -> new ArrayList<>()).add(one);
    }
    byArea.forEach(this::area);
  }

  /**
   * Lists the failures of an area by reason. Cases in which Lazuli chose the behaviour come last,
   * and known differences come before other failures. Within each group, the reason with the most
   * cases comes first.
   */
  private void area(String area, List<CaseResult> failed) {
    Map<String, List<CaseResult>> byReason = new LinkedHashMap<>();
    for (CaseResult one : failed) {
      byReason.computeIfAbsent(reason(one), key -> new ArrayList<>()).add(one);
    }
    List<List<CaseResult>> groups = new ArrayList<>(byReason.values());
    groups.sort(
        Comparator.comparing((List<CaseResult> group) -> group.get(0).marks().isOwnChoice())
            .thenComparing(group -> group.get(0).marks().differs().isEmpty())
            .thenComparing(group -> -group.size()));
    line("### " + area).line("");
    groups.stream().limit(linesMax).forEach(this::failure);
    int left = groups.stream().skip(linesMax).mapToInt(List::size).sum();
    line(left == 0 ? "" : "- " + left + " more cases\n");
  }

  private static String reason(CaseResult one) {
    return one.marks().differs().isEmpty() ? one.group() : one.marks().differs();
  }

  /**
   * Writes one line: the names of the cases, their evidence, and the known or observed difference.
   */
  private void failure(List<CaseResult> failed) {
    CaseResult first = failed.get(0);
    String what = first.marks().differs().isEmpty() ? first.detail() : first.marks().differs();
    Set<String> names = new TreeSet<>();
    failed.forEach(one -> names.add(one.group()));
    String others = names.size() > NAMES_MAX ? " and others" : "";
    line(
        "- %s%s (%s, %s): %s"
            .formatted(
                String.join(", ", names.stream().limit(NAMES_MAX).toList()),
                others,
                failed.size() == 1 ? "1 case" : failed.size() + " cases",
                first.marks().evidence(),
                escaped(what)));
  }

  private void notApplicable(Report report) {
    TreeSet<String> names = new TreeSet<>();
    report.with(Outcome.NOT_APPLICABLE).forEach(one -> names.add(one.type()));
    if (!names.isEmpty()) {
      line("Not applicable to %s: %s.".formatted(report.label(), String.join(", ", names)));
    }
  }

  /** Escapes text from the tested service, so that it is not read as markup. */
  private static String escaped(String line) {
    return line.replaceAll("([\\\\`*_\\[\\]<>#|])", "\\\\$1");
  }

  private ReportMarkdown line(String line) {
    text.append(line).append('\n');
    return this;
  }
}
