package io.lazuli.server.settings;

import io.lazuli.server.wire.XmlWriter;

/** The statistics of a service as XML (table-rest 6.7). The secondary is always up to date. */
public final class ServiceStatsXml {
  private ServiceStatsXml() {}

  /**
   * Writes the document.
   *
   * @param lastSync a time in HTTP format
   */
  public static byte[] write(String lastSync) {
    XmlWriter out = new XmlWriter();
    out.element(
        "StorageServiceStats",
        () ->
            out.element(
                "GeoReplication",
                () -> {
                  out.text("Status", "live");
                  out.text("LastSyncTime", lastSync);
                }));
    return out.toByteArray();
  }
}
