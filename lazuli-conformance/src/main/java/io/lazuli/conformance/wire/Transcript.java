package io.lazuli.conformance.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A conversation written down: each exchange is a title line {@code ### …}, the request as text, a
 * line {@code <<<}, and the answer as text. Lines end with LF in the file and with CR LF on the
 * wire, inside bodies too; the line end before the next mark belongs to the file, not to the body.
 *
 * <p>Placeholders stand for what differs between runs. In requests: {@code {host}}, {@code
 * {account}}, {@code {base}}, {@code {table}}, {@code {queue}} or {@code {container}}, {@code
 * {now}}, {@code {length}} (of the body) and {@code {sharedkey}} or {@code {sharedkeylite}} as the
 * whole value of Authorization. In answers also {@code {guid}}, {@code {time}}, {@code {date}} and
 * {@code {any}}. {@code {stamp:x}} is a Timestamp, {@code {tag:x}} the same instant as it stands in
 * an ETag, {@code {etag:x}} that of a blob, {@code {id:x}} and {@code {receipt:x}} those of
 * messages; a name that occurs again must have the same value, and in a request it is replaced by
 * it.
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

  /** The text that {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Exchange exchange : exchanges) {
      text.append("### ").append(exchange.title()).append('\n');
      text.append(exchange.request()).append("\n<<<\n").append(exchange.answer()).append('\n');
    }
    return text.toString();
  }
}
