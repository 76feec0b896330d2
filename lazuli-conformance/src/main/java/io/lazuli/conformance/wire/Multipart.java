package io.lazuli.conformance.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Parses the multipart answer of a batch as strictly as the official clients do. */
final class Multipart {

  private static final String END = "\r\n";

  private Multipart() {}

  static List<WireAnswer> answers(WireAnswer batch) {
    String contentType = batch.header("Content-Type").orElse("");
    List<WireAnswer> answers = new ArrayList<>();
    for (String part : parts(batch.text(), boundary(contentType, "batchresponse_"))) {
      String inner = headerOf(part, "Content-Type");
      if (inner.startsWith("multipart/mixed")) {
        parts(contentOf(part), boundary(inner, "changesetresponse_"))
            .forEach(change -> answers.add(answer(contentOf(change))));
      } else {
        answers.add(answer(contentOf(part)));
      }
    }
    return answers;
  }

  private static String boundary(String contentType, String prefix) {
    String mark = "multipart/mixed; boundary=";
    if (!contentType.startsWith(mark + prefix)) {
      throw new AssertionError("not a batch answer: " + contentType);
    }
    return contentType.substring(mark.length());
  }

  private static List<String> parts(String text, String boundary) {
    String delimiter = "--" + boundary;
    if (!text.startsWith(delimiter + END)) {
      throw new AssertionError("does not begin with its boundary: " + text);
    }
    int end = text.indexOf(END + delimiter + "--");
    if (end < 0) {
      throw new AssertionError("does not end with its boundary: " + text);
    }
    String between = text.substring((delimiter + END).length(), end);
    return List.of(between.split(END + delimiter + END, -1));
  }

  private static String headerOf(String part, String name) {
    for (String line : part.substring(0, part.indexOf(END + END)).split(END, -1)) {
      if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }

  private static String contentOf(String part) {
    return part.substring(part.indexOf(END + END) + 2 * END.length());
  }

  /** Parses one part. In a blob batch, a part without a body does not end with a blank line. */
  private static WireAnswer answer(String part) {
    String text = part.contains(END + END) ? part : part.stripTrailing() + END + END;
    int blank = text.indexOf(END + END);
    String[] lines = text.substring(0, blank).split(END, -1);
    List<Header> headers = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      headers.add(WireAnswer.parseHeader(lines[i]));
    }
    String body = text.substring(blank + 2 * END.length());
    return WireAnswer.of(lines[0], headers, body.getBytes(StandardCharsets.UTF_8));
  }
}
