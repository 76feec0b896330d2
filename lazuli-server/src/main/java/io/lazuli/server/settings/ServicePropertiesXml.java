package io.lazuli.server.settings;

import io.lazuli.server.access.CorsRule;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.settings.ServiceProperties.Change;
import io.lazuli.server.settings.ServiceProperties.DeleteRetention;
import io.lazuli.server.settings.ServiceProperties.Logging;
import io.lazuli.server.settings.ServiceProperties.Metrics;
import io.lazuli.server.wire.InvalidXml;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Service properties as XML, the same for every service, in the order in which Azure writes them
 * (table-rest 6.6). Every fault in a document is {@code InvalidXmlDocument}.
 */
public final class ServicePropertiesXml {
  private static final int BYTES_MAX = 64 << 10;
  private static final int RETENTION_DAYS_MAX = 365;
  private static final int RULES_MAX = 5;
  private static final int ORIGINS_MAX = 64;
  private static final int LITERAL_HEADERS_MAX = 64;
  private static final int PREFIXED_HEADERS_MAX = 2;
  private static final int ITEM_LENGTH_MAX = 256;
  private static final int RULES_LENGTH_MAX = 2048;

  /** The longest name of a blob. */
  private static final int DOCUMENT_LENGTH_MAX = 1024;

  private static final Set<String> ROOT =
      Set.of("Logging", "HourMetrics", "Metrics", "MinuteMetrics", "Cors");
  private static final Set<String> BLOB_ROOT =
      Set.of("DeleteRetentionPolicy", "StaticWebsite", "DefaultServiceVersion");
  private static final Set<String> METHODS =
      Set.of("DELETE", "GET", "HEAD", "MERGE", "PATCH", "POST", "OPTIONS", "PUT");

  private ServicePropertiesXml() {}

  /**
   * Parses a change. Properties that the document omits stay as they are.
   *
   * @param ofBlobs true to accept elements that only the blob service has (blob-rest 8.2)
   */
  public static Change parse(byte[] body, boolean ofBlobs) {
    Change change = parseStored(body, ofBlobs);
    String version = change.defaultVersion();
    if (version != null && !ApiVersion.isWellFormed(version)) {
      throw invalid();
    }
    return change;
  }

  /**
   * Parses a stored document. Does not check the default version, because earlier versions of
   * Lazuli accepted more texts.
   */
  static Change parseStored(byte[] body) {
    return parseStored(body, true);
  }

  private static Change parseStored(byte[] body, boolean ofBlobs) {
    XmlElement root = XmlElement.parse(body, BYTES_MAX).require("StorageServiceProperties");
    requireSomethingKnown(root, ofBlobs);
    XmlElement logging = root.child("Logging");
    XmlElement hours = root.child("HourMetrics");
    XmlElement olderHours = root.child("Metrics");
    XmlElement minutes = root.child("MinuteMetrics");
    XmlElement cors = root.child("Cors");
    XmlElement website = ofBlobs ? root.child("StaticWebsite") : null;
    return new Change(
        logging == null ? null : logging(logging),
        hours != null ? metrics(hours) : olderHours != null ? metrics(olderHours) : null,
        minutes == null ? null : metrics(minutes),
        cors == null ? null : rules(cors),
        nullIfEmpty(root.childText("DefaultServiceVersion")),
        deleteRetention(root.child("DeleteRetentionPolicy")),
        website == null ? null : website(website));
  }

  /**
   * Throws if the document has no known element. Unknown elements from newer clients are ignored
   * (queue-rest 2.6).
   */
  private static void requireSomethingKnown(XmlElement root, boolean ofBlobs) {
    for (XmlElement child : root.children()) {
      if (ROOT.contains(child.name()) || (ofBlobs && BLOB_ROOT.contains(child.name()))) {
        return;
      }
    }
    // For the blob service an empty document is invalid. A document that only disables features
    // that Lazuli lacks does not count as empty.
    if (ofBlobs || !root.children().isEmpty()) {
      throw invalid();
    }
  }

  private static @Nullable DeleteRetention deleteRetention(@Nullable XmlElement policy) {
    if (policy == null) {
      return null;
    }
    boolean enabled = flag(policy, "Enabled");
    boolean allows =
        policy.child("AllowPermanentDelete") != null && flag(policy, "AllowPermanentDelete");
    return enabled ? new DeleteRetention(days(policy), allows) : DeleteRetention.NONE;
  }

  private static @Nullable String nullIfEmpty(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  /**
   * Writes all properties.
   *
   * @param ofBlobs true to include elements that only the blob service has
   */
  public static byte[] write(ServiceProperties properties, boolean ofBlobs) {
    XmlWriter out = new XmlWriter();
    out.element(
        "StorageServiceProperties",
        () -> {
          writeLogging(out, properties.logging());
          writeMetrics(out, "HourMetrics", properties.hourMetrics());
          writeMetrics(out, "MinuteMetrics", properties.minuteMetrics());
          out.element("Cors", () -> properties.corsRules().forEach(rule -> writeRule(out, rule)));
          if (ofBlobs || properties.deleteRetention().isOn()) {
            writeDeleteRetention(out, properties.deleteRetention());
          }
          if (ofBlobs || properties.website().enabled()) {
            writeWebsite(out, properties.website());
          }
          String version = properties.defaultVersion();
          if (version != null) {
            out.text("DefaultServiceVersion", version);
          }
        });
    return out.toByteArray();
  }

  /** Reads the website. One that is off has no documents. */
  private static StaticWebsite website(XmlElement element) {
    StaticWebsite website =
        new StaticWebsite(
            flag(element, "Enabled"),
            document(element, "IndexDocument"),
            document(element, "ErrorDocument404Path"),
            document(element, "DefaultIndexDocumentPath"));
    if (website.indexDocument() != null && website.defaultIndexPath() != null) {
      throw invalid();
    }
    return website.enabled() ? website : StaticWebsite.OFF;
  }

  private static @Nullable String document(XmlElement element, String name) {
    String text = nullIfEmpty(element.childText(name));
    if (text != null && (text.length() > DOCUMENT_LENGTH_MAX || !isText(text))) {
      throw invalid();
    }
    return text;
  }

  private static boolean isText(String text) {
    return text.codePoints().noneMatch(Character::isISOControl);
  }

  private static void writeWebsite(XmlWriter out, StaticWebsite website) {
    out.element(
        "StaticWebsite",
        () -> {
          out.text("Enabled", String.valueOf(website.enabled()));
          writeIfAny(out, "IndexDocument", website.indexDocument());
          writeIfAny(out, "DefaultIndexDocumentPath", website.defaultIndexPath());
          writeIfAny(out, "ErrorDocument404Path", website.errorPath());
        });
  }

  private static void writeIfAny(XmlWriter out, String name, @Nullable String text) {
    if (text != null) {
      out.text(name, text);
    }
  }

  private static Logging logging(XmlElement element) {
    return new Logging(
        version(element),
        flag(element, "Read"),
        flag(element, "Write"),
        flag(element, "Delete"),
        retentionDays(element));
  }

  private static Metrics metrics(XmlElement element) {
    boolean enabled = flag(element, "Enabled");
    return new Metrics(
        version(element), enabled, enabled && flag(element, "IncludeAPIs"), retentionDays(element));
  }

  /**
   * Returns the version of logging or metrics. Its length is limited, so that the stored document
   * can always be read again.
   */
  private static String version(XmlElement element) {
    String version = element.requireText("Version");
    if (version.length() > ITEM_LENGTH_MAX || !isPrintable(version)) {
      throw invalid();
    }
    return version;
  }

  private static @Nullable Integer retentionDays(XmlElement element) {
    XmlElement policy = element.child("RetentionPolicy");
    if (policy == null) {
      throw invalid();
    }
    return flag(policy, "Enabled") ? days(policy) : null;
  }

  private static int days(XmlElement policy) {
    Integer days = number(policy.requireText("Days"), 1, RETENTION_DAYS_MAX);
    if (days == null) {
      throw InvalidXml.because(
          "Retention days must be greater than 0 and less than or equal to 365 days.");
    }
    return days;
  }

  private static List<CorsRule> rules(XmlElement cors) {
    if (cors.children().size() > RULES_MAX) {
      throw invalid();
    }
    List<CorsRule> rules = new ArrayList<>();
    int length = 0;
    for (XmlElement element : cors.children()) {
      rules.add(rule(element.require("CorsRule")));
      length += element.children().stream().mapToInt(child -> child.text().length()).sum();
    }
    if (length > RULES_LENGTH_MAX) {
      throw invalid();
    }
    return rules;
  }

  private static CorsRule rule(XmlElement element) {
    List<String> methods = list(element, "AllowedMethods");
    List<String> origins = list(element, "AllowedOrigins");
    boolean known = METHODS.containsAll(methods);
    if (methods.isEmpty() || origins.isEmpty() || !known || origins.size() > ORIGINS_MAX) {
      throw invalid();
    }
    Integer age = number(element.requireText("MaxAgeInSeconds"), 0, Integer.MAX_VALUE);
    if (age == null) {
      throw invalid();
    }
    return new CorsRule(
        methods,
        origins,
        headers(element, "AllowedHeaders"),
        headers(element, "ExposedHeaders"),
        age);
  }

  /**
   * Returns the header names of a rule; literal names come before prefixes, as in Azure's answers.
   */
  private static List<String> headers(XmlElement element, String name) {
    List<String> all = list(element, name);
    List<String> sorted = new ArrayList<>(all.stream().filter(h -> !CorsRule.isPrefix(h)).toList());
    int literal = sorted.size();
    sorted.addAll(all.stream().filter(CorsRule::isPrefix).toList());
    if (literal > LITERAL_HEADERS_MAX || sorted.size() - literal > PREFIXED_HEADERS_MAX) {
      throw invalid();
    }
    return sorted;
  }

  private static List<String> list(XmlElement element, String name) {
    List<String> items = new ArrayList<>();
    for (String item : element.requireText(name).split(",", -1)) {
      String stripped = item.strip();
      if (stripped.length() > ITEM_LENGTH_MAX || !isPrintable(stripped)) {
        throw invalid();
      }
      if (!stripped.isEmpty()) {
        items.add(stripped);
      }
    }
    return items;
  }

  /** Returns whether an item is visible ASCII. Anything else could not be returned in a header. */
  private static boolean isPrintable(String item) {
    return item.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static boolean flag(XmlElement element, String name) {
    String text = element.requireText(name);
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw invalid();
    }
    return text.equalsIgnoreCase("true");
  }

  /** Parses a whole number; returns null if the text is not a number within the bounds. */
  private static @Nullable Integer number(String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      return number >= min && number <= max ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static void writeLogging(XmlWriter out, Logging logging) {
    out.element(
        "Logging",
        () -> {
          out.text("Version", logging.version());
          out.text("Read", Boolean.toString(logging.read()));
          out.text("Write", Boolean.toString(logging.write()));
          out.text("Delete", Boolean.toString(logging.delete()));
          writeRetention(out, logging.retentionDays());
        });
  }

  private static void writeMetrics(XmlWriter out, String name, Metrics metrics) {
    out.element(
        name,
        () -> {
          out.text("Version", metrics.version());
          out.text("Enabled", Boolean.toString(metrics.enabled()));
          if (metrics.enabled()) {
            out.text("IncludeAPIs", Boolean.toString(metrics.includeApis()));
          }
          writeRetention(out, metrics.retentionDays());
        });
  }

  private static void writeDeleteRetention(XmlWriter out, DeleteRetention retention) {
    out.element(
        "DeleteRetentionPolicy",
        () -> {
          out.text("Enabled", Boolean.toString(retention.isOn()));
          if (retention.isOn()) {
            out.text("Days", Integer.toString(retention.days()));
          }
          out.text("AllowPermanentDelete", Boolean.toString(retention.allowsPermanentDelete()));
        });
  }

  private static void writeRetention(XmlWriter out, @Nullable Integer days) {
    out.element(
        "RetentionPolicy",
        () -> {
          out.text("Enabled", Boolean.toString(days != null));
          if (days != null) {
            out.text("Days", days.toString());
          }
        });
  }

  private static void writeRule(XmlWriter out, CorsRule rule) {
    out.element(
        "CorsRule",
        () -> {
          out.text("AllowedMethods", String.join(",", rule.allowedMethods()));
          out.text("AllowedOrigins", String.join(",", rule.allowedOrigins()));
          out.text("AllowedHeaders", String.join(",", rule.allowedHeaders()));
          out.text("ExposedHeaders", String.join(",", rule.exposedHeaders()));
          out.text("MaxAgeInSeconds", Integer.toString(rule.maxAgeSeconds()));
        });
  }

  private static ServiceException invalid() {
    return InvalidXml.because("");
  }
}
