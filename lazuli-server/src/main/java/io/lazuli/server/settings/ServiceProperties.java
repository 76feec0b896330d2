package io.lazuli.server.settings;

import io.lazuli.server.access.CorsRule;
import io.lazuli.server.event.MetricsSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one service of an account (table-rest 6.6).
 *
 * @param defaultVersion the version of blob requests that name none; null if it was never set
 * @param deleteRetention how long deleted blobs can be restored
 * @param website the static website; only the blob service has one
 */
public record ServiceProperties(
    Logging logging,
    Metrics hourMetrics,
    Metrics minuteMetrics,
    List<CorsRule> corsRules,
    @Nullable String defaultVersion,
    DeleteRetention deleteRetention,
    StaticWebsite website) {
  /** The settings until somebody changes them. */
  public static final ServiceProperties DEFAULT =
      new ServiceProperties(
          new Logging("1.0", false, false, false, null),
          new Metrics("1.0", false, false, null),
          new Metrics("1.0", false, false, null),
          List.of(),
          null,
          DeleteRetention.NONE,
          StaticWebsite.OFF);

  public ServiceProperties {
    corsRules = List.copyOf(corsRules);
  }

  /** Returns the metrics that the owner wants. */
  public MetricsSelection metrics() {
    return new MetricsSelection(
        hourMetrics.enabled,
        hourMetrics.includeApis,
        minuteMetrics.enabled,
        minuteMetrics.includeApis);
  }

  /**
   * The requests that are logged.
   *
   * @param retentionDays null to keep logs forever
   */
  public record Logging(
      String version,
      boolean read,
      boolean write,
      boolean delete,
      @Nullable Integer retentionDays) {
    /** Returns whether any requests are logged. */
    public boolean isOn() {
      return read || write || delete;
    }

    private boolean isOfKnownForm() {
      return version.equals("1.0") || version.equals("2.0");
    }
  }

  /**
   * The requests that are counted.
   *
   * @param includeApis true to count each operation too; only if enabled
   * @param retentionDays null to keep the counts forever
   */
  public record Metrics(
      String version, boolean enabled, boolean includeApis, @Nullable Integer retentionDays) {
    private boolean isOfKnownForm() {
      return version.equals("1.0");
    }
  }

  /**
   * How long deleted blobs can be restored (blob-features 2.1).
   *
   * @param days 0 if they cannot be restored
   * @param allowsPermanentDelete true if a deleted snapshot or version may be erased early
   */
  public record DeleteRetention(int days, boolean allowsPermanentDelete) {
    public static final DeleteRetention NONE = new DeleteRetention(0, false);

    public boolean isOn() {
      return days != 0;
    }
  }

  /** A change of some settings. Settings that are null stay as they are. */
  public record Change(
      @Nullable Logging logging,
      @Nullable Metrics hourMetrics,
      @Nullable Metrics minuteMetrics,
      @Nullable List<CorsRule> corsRules,
      @Nullable String defaultVersion,
      @Nullable DeleteRetention deleteRetention,
      @Nullable StaticWebsite website) {
    public Change(
        @Nullable Logging logging,
        @Nullable Metrics hourMetrics,
        @Nullable Metrics minuteMetrics,
        @Nullable List<CorsRule> corsRules,
        @Nullable String defaultVersion) {
      this(logging, hourMetrics, minuteMetrics, corsRules, defaultVersion, null, null);
    }

    public boolean isEmpty() {
      return equals(new Change(null, null, null, null, null));
    }

    /**
     * Returns true if the versions of logging and metrics are supported and all origins are valid.
     */
    public boolean isOfKnownForms() {
      return (logging == null || logging.isOfKnownForm())
          && (hourMetrics == null || hourMetrics.isOfKnownForm())
          && (minuteMetrics == null || minuteMetrics.isOfKnownForm())
          && (corsRules == null || corsRules.stream().allMatch(CorsRule::hasValidOrigins));
    }

    public ServiceProperties applyTo(ServiceProperties old) {
      return new ServiceProperties(
          logging == null ? old.logging : logging,
          hourMetrics == null ? old.hourMetrics : hourMetrics,
          minuteMetrics == null ? old.minuteMetrics : minuteMetrics,
          corsRules == null ? old.corsRules : corsRules,
          defaultVersion == null ? old.defaultVersion : defaultVersion,
          deleteRetention == null ? old.deleteRetention : deleteRetention,
          website == null ? old.website : website);
    }
  }
}
