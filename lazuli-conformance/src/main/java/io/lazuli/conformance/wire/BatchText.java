package io.lazuli.conformance.wire;

import java.util.ArrayList;
import java.util.List;

/** Builds the multipart text of a batch in the form that the protocol reference shows. */
public final class BatchText {

  private static final String END = "\r\n";

  private final String base;
  private final List<String> operations = new ArrayList<>();
  private final String boundary = "batch_7f1c0a52-0001";
  private final String changes = "changeset_7f1c0a52-0002";

  /** Creates an empty batch. Its operations address resources below the base URL. */
  public BatchText(String base) {
    this.base = base;
  }

  public String boundary() {
    return boundary;
  }

  public BatchText insert(String table, String json) {
    return add("POST", "/" + table, json, "Prefer: return-no-content");
  }

  public BatchText add(String method, String resource, String json, String... headers) {
    StringBuilder text = new StringBuilder();
    text.append(method).append(' ').append(base).append(resource).append(" HTTP/1.1").append(END);
    text.append("Accept: application/json;odata=minimalmetadata").append(END);
    if (!json.isEmpty()) {
      text.append("Content-Type: application/json").append(END);
    }
    for (String header : headers) {
      text.append(header).append(END);
    }
    operations.add(text.append(END).append(json).append(END).toString());
    return this;
  }

  /** Returns all operations in one change set, which is the form for writes. */
  public String text() {
    StringBuilder text = new StringBuilder("--" + boundary + END);
    text.append("Content-Type: multipart/mixed; boundary=").append(changes).append(END).append(END);
    for (String operation : operations) {
      text.append("--").append(changes).append(END).append(part(operation));
    }
    return text + "--" + changes + "--" + END + "--" + boundary + "--" + END;
  }

  /**
   * Returns the operations directly in the batch, without a change set, which is the form for a
   * single read.
   */
  public String textOfReads() {
    StringBuilder text = new StringBuilder();
    for (String operation : operations) {
      text.append("--").append(boundary).append(END).append(part(operation));
    }
    return text + "--" + boundary + "--" + END;
  }

  private static String part(String operation) {
    return "Content-Type: application/http"
        + END
        + "Content-Transfer-Encoding: binary"
        + END
        + END
        + operation;
  }
}
