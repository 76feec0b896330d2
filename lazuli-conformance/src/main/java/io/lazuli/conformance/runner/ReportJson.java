package io.lazuli.conformance.runner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes reports as JSON files and reads them back. The scores are for other programs; reading
 * ignores them.
 */
final class ReportJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportJson() {}

  static void write(Report report, Path file) throws IOException {
    Files.writeString(file, text(report));
  }

  static String text(Report report) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("label", report.label()).put("note", report.note());
    root.put("endpoint", report.endpoint());
    root.put("date", report.date().toString()).put("seconds", report.seconds());
    put(root.putObject("total"), report.total());
    ObjectNode services = root.putObject("services");
    report
        .scores()
        .forEach(
            (service, areas) -> {
              ObjectNode one = services.putObject(service.word());
              areas.forEach((area, score) -> put(one.putObject(area.word()), score));
            });
    report.cases().forEach(one -> put(root.withArray("cases").addObject(), one));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  private static void put(ObjectNode node, Report.Score score) {
    node.put("passed", score.passed());
    node.put("failed", score.failed());
    node.put("notApplicable", score.notApplicable());
  }

  private static void put(ObjectNode node, CaseResult one) {
    node.put("class", one.type()).put("case", one.method());
    node.put("invocation", one.invocation());
    node.put("service", one.marks().service().word()).put("area", one.marks().area().word());
    node.put("evidence", one.marks().evidence()).put("differs", one.marks().differs());
    node.put("outcome", one.outcome().word()).put("detail", one.detail());
    node.put("millis", one.millis());
  }

  static Report read(Path file) throws IOException {
    JsonNode root = JSON.readTree(file.toFile());
    List<CaseResult> cases = new ArrayList<>();
    root.required("cases").forEach(node -> cases.add(readCase(node)));
    return new Report(
        text(root, "label"),
        text(root, "note"),
        text(root, "endpoint"),
        LocalDate.parse(text(root, "date")),
        root.required("seconds").asLong(),
        cases);
  }

  private static CaseResult readCase(JsonNode node) {
    CaseMarks marks =
        new CaseMarks(
            StorageService.valueOf(text(node, "service").toUpperCase(Locale.ROOT)),
            Area.valueOf(text(node, "area").toUpperCase(Locale.ROOT)),
            text(node, "evidence"),
            text(node, "differs"));
    return new CaseResult(
        text(node, "class"),
        text(node, "case"),
        text(node, "invocation"),
        marks,
        Outcome.ofWord(text(node, "outcome")),
        text(node, "detail"),
        node.required("millis").asLong());
  }

  private static String text(JsonNode node, String field) {
    return node.required(field).asText();
  }
}
