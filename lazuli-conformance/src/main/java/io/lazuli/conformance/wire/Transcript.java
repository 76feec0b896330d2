package io.lazuli.conformance.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A recorded conversation. Each exchange is a title line {@code ### …}, the request as text, a line
 * {@code <<<}, and the answer as text. Lines end with LF in the file and with CR LF on the wire,
 * also inside bodies. The line end before the next title belongs to the file, not to the body.
 *
 * <p>Placeholders stand for values that differ between runs. Requests may contain {@code {host}},
 * {@code {account}}, {@code {base}}, {@code {table}}, {@code {queue}} or {@code {container}},
 * {@code {now}}, {@code {length}} (of the body), and {@code {sharedkey}} or {@code {sharedkeylite}}
 * as the whole value of Authorization. Answers may also contain {@code {guid}}, {@code {time}},
 * {@code {date}} and {@code {any}}.
 *
 * <p>Some placeholders are named: {@code {stamp:x}} is a Timestamp, {@code {tag:x}} is the same
 * instant in an ETag, {@code {etag:x}} is the ETag of a blob, and {@code {id:x}} and {@code
 * {receipt:x}} are the id and the pop receipt of a message. All occurrences of a name must have the
 * same value. Requests contain that value in place of the placeholder.
 */
public record Transcript(List<Exchange> exchanges) {

  /** One request and its answer. */
  public record Exchange(String title, String request, String answer) {}

  public static Transcript parse(String text) {
    List<Exchange> exchanges = new ArrayList<>();
    for (String block : text.split("(?m)^### ", -1)) {
      if (!block.isBlank() && block.contains("\n<<<\n")) {
        int titleEnd = block.indexOf('\n');
        int middle = block.indexOf("\n<<<\n");
        String answer = block.substring(middle + "\n<<<\n".length());
        exchanges.add(
            new Exchange(
                block.substring(0, titleEnd),
                block.substring(titleEnd + 1, middle),
                answer.endsWith("\n") ? answer.substring(0, answer.length() - 1) : answer));
      }
    }
    return new Transcript(List.copyOf(exchanges));
  }

  /** Returns the transcript as the text that {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Exchange exchange : exchanges) {
      text.append("### ").append(exchange.title()).append('\n');
      text.append(exchange.request()).append("\n<<<\n").append(exchange.answer()).append('\n');
    }
    return text.toString();
  }
}
