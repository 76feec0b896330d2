package io.lazuli.server.table.protocol;

import io.lazuli.server.http.AnswerBuffer;
import java.util.List;

/** Writes tables as JSON (table-rest 6.1–6.3). */
final class TableWriter {
  private final String base;
  private final String account;
  private final MetadataLevel level;
  private final JsonBuffer out = new JsonBuffer(256);

  TableWriter(TableRequest request) {
    this.base = request.base();
    this.account = request.account();
    this.level = request.level();
  }

  byte[] single(String name) {
    out.raw('{');
    if (level != MetadataLevel.NONE) {
      metadata("/@Element");
    }
    members(name);
    return out.raw('}').toByteArray();
  }

  /**
   * Writes a page of tables: all of them, or those before the page is too long. A long name of the
   * host makes long links.
   *
   * @return the number of tables on the page
   */
  int page(List<String> names, AnswerBuffer answer) {
    out.raw('{');
    if (level != MetadataLevel.NONE) {
      metadata("");
    }
    out.raw("\"value\":[");
    String[] before = {"{"};
    int shown =
        answer.addPage(
            names,
            name -> {
              out.raw(before[0]);
              members(name);
              out.raw('}');
              before[0] = ",{";
            },
            out::length,
            out::take);
    answer.add(out.raw("]}").take());
    return shown;
  }

  static String path(String name) {
    return "Tables('" + name + "')";
  }

  private void metadata(String element) {
    out.raw("\"odata.metadata\":").string(base + "/$metadata#Tables" + element).raw(',');
  }

  private void members(String name) {
    if (level == MetadataLevel.FULL) {
      out.raw("\"odata.type\":").string(account + ".Tables");
      out.raw(",\"odata.id\":").string(base + "/" + path(name));
      out.raw(",\"odata.editLink\":").string(path(name)).raw(',');
    }
    out.raw("\"TableName\":").string(name);
  }
}
