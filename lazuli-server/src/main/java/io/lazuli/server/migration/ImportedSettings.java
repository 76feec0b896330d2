package io.lazuli.server.migration;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Headers;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesXml;
import io.lazuli.server.wire.XmlWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads access policies, properties and metadata as Azurite stores them. They are rewritten as a
 * client would send them and read by the parsers of the services, so that the services' rules
 * apply. The parsers throw a {@code ServiceException} if they refuse something.
 */
final class ImportedSettings {
  private ImportedSettings() {}

  /**
   * @param letters the permissions that the service knows
   */
  static List<StoredAccessPolicy> policies(List<LokiDocument> identifiers, String letters) {
    if (identifiers.isEmpty()) {
      return List.of();
    }
    XmlWriter out = new XmlWriter();
    out.element(
        "SignedIdentifiers",
        () ->
            identifiers.forEach(
                each -> out.element("SignedIdentifier", () -> writePolicy(out, each))));
    return AccessPolicyXml.parse(out.toByteArray(), letters);
  }

  private static void writePolicy(XmlWriter out, LokiDocument identifier) {
    out.text("Id", identifier.text("id"));
    LokiDocument terms = identifier.document("accessPolicy");
    out.element(
        "AccessPolicy",
        () -> {
          writeIfAny(out, "Start", terms.findText("start"));
          writeIfAny(out, "Expiry", terms.findText("expiry"));
          writeIfAny(out, "Permission", terms.findText("permission"));
        });
  }

  private static void writeIfAny(XmlWriter out, String name, @Nullable String text) {
    if (text != null) {
      out.text(name, text);
    }
  }

  static ServiceProperties.Change properties(LokiDocument service, boolean ofBlobs) {
    XmlWriter out = new XmlWriter();
    out.element("StorageServiceProperties", () -> writeProperties(out, service, ofBlobs));
    return ServicePropertiesXml.parse(out.toByteArray(), ofBlobs);
  }

  private static void writeProperties(XmlWriter out, LokiDocument service, boolean ofBlobs) {
    if (service.has("logging")) {
      LokiDocument logging = service.document("logging");
      out.element(
          "Logging",
          () -> {
            out.text("Version", logging.text("version"));
            out.text("Delete", String.valueOf(logging.flag("deleteProperty")));
            out.text("Read", String.valueOf(logging.flag("read")));
            out.text("Write", String.valueOf(logging.flag("write")));
            writeRetention(out, logging);
          });
    }
    writeMetrics(out, "HourMetrics", service, "hourMetrics");
    writeMetrics(out, "MinuteMetrics", service, "minuteMetrics");
    if (service.has("cors")) {
      out.element("Cors", () -> service.documents("cors").forEach(each -> writeRule(out, each)));
    }
    if (ofBlobs) {
      writeFeature(out, "DeleteRetentionPolicy", service.document("deleteRetentionPolicy"));
      writeWebsite(out, service.document("staticWebsite"));
      writeIfAny(out, "DefaultServiceVersion", service.findText("defaultServiceVersion"));
    }
  }

  private static void writeMetrics(
      XmlWriter out, String name, LokiDocument service, String member) {
    LokiDocument metrics = service.document(member);
    if (metrics.members().isEmpty()) {
      return;
    }
    out.element(
        name,
        () -> {
          out.text("Version", metrics.text("version"));
          out.text("Enabled", String.valueOf(metrics.flag("enabled")));
          if (metrics.flag("enabled")) {
            out.text("IncludeAPIs", String.valueOf(metrics.flag("includeAPIs")));
          }
          writeRetention(out, metrics);
        });
  }

  private static void writeRetention(XmlWriter out, LokiDocument owner) {
    LokiDocument policy = owner.document("retentionPolicy");
    out.element(
        "RetentionPolicy",
        () -> {
          out.text("Enabled", String.valueOf(policy.flag("enabled")));
          if (policy.flag("enabled")) {
            out.text("Days", String.valueOf(policy.number("days")));
          }
        });
  }

  private static void writeRule(XmlWriter out, LokiDocument rule) {
    out.element(
        "CorsRule",
        () -> {
          out.text("AllowedOrigins", rule.text("allowedOrigins"));
          out.text("AllowedMethods", rule.text("allowedMethods"));
          out.text("MaxAgeInSeconds", String.valueOf(rule.number("maxAgeInSeconds")));
          out.text("ExposedHeaders", rule.text("exposedHeaders"));
          out.text("AllowedHeaders", rule.text("allowedHeaders"));
        });
  }

  private static void writeWebsite(XmlWriter out, LokiDocument website) {
    if (website.flag("enabled")) {
      out.element(
          "StaticWebsite",
          () -> {
            out.text("Enabled", "true");
            writeIfAny(out, "IndexDocument", website.findText("indexDocument"));
            writeIfAny(out, "ErrorDocument404Path", website.findText("errorDocument404Path"));
            writeIfAny(
                out, "DefaultIndexDocumentPath", website.findText("defaultIndexDocumentPath"));
          });
    }
  }

  /**
   * Writes a feature that Lazuli does not have, if it is switched on. The parser then refuses it.
   */
  private static void writeFeature(XmlWriter out, String name, LokiDocument feature) {
    if (feature.flag("enabled")) {
      out.element(name, () -> out.text("Enabled", "true"));
    }
  }

  /** Returns the metadata. Returns none, and reports that, if the service refuses the metadata. */
  static Metadata metadata(LokiDocument owner, String title, ImportReport report) {
    try {
      return metadata(owner.document("metadata"));
    } catch (ServiceException e) {
      report.leftOut("metadata of " + title, e);
      return Metadata.NONE;
    }
  }

  private static Metadata metadata(LokiDocument pairs) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    pairs.texts().forEach((name, value) -> headers.put("x-ms-meta-" + name, value));
    return MetadataHeaders.read(new MapHeaders(headers));
  }

  private record MapHeaders(Map<String, String> values) implements Headers {
    @Override
    public @Nullable String first(String name) {
      return values.get(name);
    }

    @Override
    public Set<String> names() {
      return values.keySet();
    }

    @Override
    public List<String> all(String name) {
      String value = values.get(name);
      return value == null ? List.of() : List.of(value);
    }
  }
}
