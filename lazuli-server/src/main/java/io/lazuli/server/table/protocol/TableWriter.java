package io.lazuli.server.table.protocol;

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

  byte[] page(List<String> names) {
    out.raw('{');
    if (level != MetadataLevel.NONE) {
      metadata("");
    }
    out.raw("\"value\":[");
    for (int i = 0; i < names.size(); i++) {
      out.raw(i == 0 ? "{" : ",{");
      members(names.get(i));
      out.raw('}');
    }
    return out.raw("]}").toByteArray();
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
