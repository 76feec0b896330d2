package io.lazuli.conformance.host;

import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction as Azure.Data.Tables for .NET writes it, from the same recording as {@link
 * NetTable}: every operation names the host and the version, and an empty line follows the end of
 * the change set. Mutable; used by one test.
 */
final class NetBatch {
  private static final String END = "\r\n";
  private static final String BATCH = "batch_7684ffcf-b1d4-948c-7c97-8de64ee0fcf2";
  private static final String CHANGES = "changeset_e4afc903-b068-24ed-14b7-928bc91a8942";

  private final ScratchTable table;
  private final List<String> operations = new ArrayList<>();

  NetBatch(ScratchTable table) {
    this.table = table;
  }

  NetBatch insert(String json) {
    return add(
        "POST",
        table.path(),
        "Prefer: return-no-content",
        "Accept: application/json",
        "Content-Type: application/json;odata=nometadata",
        "",
        json);
  }

  /** Adds an Insert Or Replace, which is a replacement without a tag. */
  NetBatch upsert(String partition, String row, String json) {
    return add(
        "PUT",
        table.path(partition, row),
        "Accept: application/json",
        "Content-Type: application/json",
        "",
        json);
  }

  NetBatch replace(String partition, String row, String json, String tag) {
    return add(
        "PUT",
        table.path(partition, row),
        "If-Match: " + tag,
        "Accept: application/json",
        "Content-Type: application/json",
        "",
        json);
  }

  NetBatch delete(String partition, String row, String tag) {
    return add(
        "DELETE",
        table.path(partition, row),
        "If-Match: " + tag,
        "Accept: application/json;odata=minimalmetadata",
        "",
        "");
  }

  private NetBatch add(String verb, String resource, String... rest) {
    String url = table.base() + resource + "?" + NetTable.FORMAT;
    operations.add(
        String.join(
                END,
                "--" + CHANGES,
                "Content-Type: application/http",
                "Content-Transfer-Encoding: binary",
                "",
                verb + " " + url + " HTTP/1.1",
                "Host: " + table.wire().account().endpoint().getRawAuthority(),
                "x-ms-version: " + WireRequest.VERSION,
                "DataServiceVersion: 3.0",
                String.join(END, rest))
            + END);
    return this;
  }

  WireRequest request() {
    String text =
        String.join(
            END,
            "--" + BATCH,
            "Content-Type: multipart/mixed; boundary=" + CHANGES,
            "",
            String.join("", operations) + "--" + CHANGES + "--",
            "",
            "--" + BATCH + "--",
            "");
    return table
        .wire()
        .request("POST", "/$batch")
        .without("Accept")
        .header("Content-Type", "multipart/mixed; boundary=" + BATCH)
        .header("DataServiceVersion", "3.0")
        .header("x-ms-return-client-request-id", "true")
        .body(text);
  }
}
