package io.lazuli.conformance.runner;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.StorageService;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reports as a page: for each service a table of areas with one column for each report, then what
 * each of them fails. Invocations of one method that fail stand on one line.
 */
final class ReportMarkdown {

  private static final String INTRODUCTION =
      """
      How many cases of `lazuli-conformance` pass, by area: the official SDKs and raw requests, each case
      with the section of the protocol or the recording that it rests on. An invocation of a parameterised
      case counts as one.""";

  private final List<Report> reports;
  private final StringBuilder text = new StringBuilder();

  private ReportMarkdown(List<Report> reports) {
    this.reports = reports;
  }

  /** A page for one report, or one that compares several. Those of one label are put together. */
  static String page(List<Report> reports) {
    ReportMarkdown page = new ReportMarkdown(merged(reports));
    page.line("# Score card").line("").line(INTRODUCTION).line("");
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

  private TreeSet<StorageService> services() {
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
    line("## What " + report.label() + " fails").line("");
    if (failed.isEmpty()) {
      line("Nothing.").line("");
      return;
    }
    Map<String, List<CaseResult>> byArea = new TreeMap<>();
    for (CaseResult one : failed) {
      String area = one.marks().service().word() + ", " + one.marks().area().word();
      byArea.computeIfAbsent(area, key -> new ArrayList<>()).add(one);
    }
    byArea.forEach(this::area);
  }

  private void area(String area, List<CaseResult> failed) {
    Map<String, List<CaseResult>> byMethod = new LinkedHashMap<>();
    for (CaseResult one : failed) {
      byMethod.computeIfAbsent(one.group(), key -> new ArrayList<>()).add(one);
    }
    line("### " + area).line("");
    byMethod.forEach(this::failure);
    line("");
  }

  /** Says what is known of the difference, or else what the first invocation saw. */
  private void failure(String name, List<CaseResult> failed) {
    CaseResult first = failed.get(0);
    String count = failed.size() == 1 ? "" : " (" + failed.size() + " cases)";
    String what = first.marks().differs().isEmpty() ? first.detail() : first.marks().differs();
    line("- %s%s: %s [%s]".formatted(name, count, escaped(what), first.marks().evidence()));
  }

  private void notApplicable(Report report) {
    TreeSet<String> names = new TreeSet<>();
    report.with(Outcome.NOT_APPLICABLE).forEach(one -> names.add(one.type()));
    if (!names.isEmpty()) {
      line("Not applicable to %s: %s.".formatted(report.label(), String.join(", ", names)));
    }
  }

  /** What came from elsewhere is text, not markup. */
  private static String escaped(String line) {
    return line.replaceAll("([\\\\`*_\\[\\]<>#|])", "\\\\$1");
  }

  private ReportMarkdown line(String line) {
    text.append(line).append('\n');
    return this;
  }
}
