package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseId;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.tag.TagExpression;
import io.lazuli.server.blob.tag.TagExpressionParser;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.protocol.MetadataHeaders;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request to the blob service, as values. Throws 400 for values that cannot be
 * read.
 */
record BlobRequestHeaders(Headers headers) {
  /**
   * Headers that change the meaning of the body or the protection of data. They are refused rather
   * than ignored, because the client would otherwise rely on something that did not happen
   * (blob-rest 1).
   */
  private static final Set<String> UNSUPPORTED = Set.of("x-ms-structured-body");

  private static final List<String> UNSUPPORTED_BEGINNINGS =
      List.of("x-ms-encryption-key", "x-ms-source-encryption-key");

  private static final String POLICY_BEGINNING = "x-ms-immutability-policy-";
  private static final String POLICY_UNTIL = POLICY_BEGINNING + "until-date";
  private static final String POLICY_MODE = POLICY_BEGINNING + "mode";
  static final String LEGAL_HOLD = "x-ms-legal-hold";

  /** Says whether a copy gets the tags of its source. */
  static final String TAG_OPTION = "x-ms-copy-source-tag-option";

  private static final String IF_TAGS = "x-ms-if-tags";
  static final String SOURCE_IF_TAGS = "x-ms-source-if-tags";
  private static final String TAG_CONDITIONS_VERSION = "2026-02-06";
  private static final String BOTH_CHECKSUMS_VERSION = "2026-10-06";
  private static final String BLOB_MD5 = "x-ms-blob-content-md5";
  private static final String DEFAULT_SCOPE = "$account-encryption-key";

  /**
   * Throws if the request has headers of features that the operation does not support.
   *
   * @param immutability true if the request may give a blob an immutability policy
   */
  void requireSupported(BlobRoute route, boolean immutability) {
    for (String header : headers.names()) {
      String name = header.toLowerCase(Locale.ROOT);
      boolean protects =
          name.startsWith(POLICY_BEGINNING) || (name.equals(LEGAL_HOLD) && flag(LEGAL_HOLD));
      if (name.startsWith("x-ms-") && (protects ? !immutability : isUnsupported(name, route))) {
        throw BlobErrors.UNSUPPORTED_HEADER.exception().with("HeaderName", name);
      }
    }
  }

  private boolean isUnsupported(String name, BlobRoute route) {
    return switch (name) {
      case "x-ms-expiry-option", "x-ms-expiry-time" -> route != BlobRoute.SET_BLOB_EXPIRY;
      case "x-ms-encryption-scope" -> !DEFAULT_SCOPE.equals(text(name));
      default ->
          UNSUPPORTED.contains(name) || UNSUPPORTED_BEGINNINGS.stream().anyMatch(name::startsWith);
    };
  }

  /** Returns the value of a header; null if it is missing or empty. */
  @Nullable String text(String name) {
    String value = headers.first(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  String require(String name) {
    String value = text(name);
    if (value == null) {
      throw CommonErrors.MISSING_REQUIRED_HEADER.exception().with("HeaderName", name);
    }
    return value;
  }

  /** Returns whether the value of a header is {@code true}, in any letter case. */
  boolean flag(String name) {
    return "true".equalsIgnoreCase(text(name));
  }

  /** Returns a length or position; null if the header is missing. */
  @Nullable Long number(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw invalid(name, text);
    }
    throw invalid(name, text);
  }

  @Nullable UUID leaseId() {
    return leaseId("x-ms-lease-id");
  }

  /** Returns the lease that the source of a copy must have (blob-rest 10.8). */
  @Nullable UUID sourceLeaseId() {
    return leaseId("x-ms-source-lease-id");
  }

  private @Nullable UUID leaseId(String name) {
    String id = text(name);
    return id == null ? null : LeaseId.require(name, id);
  }

  Map<String, String> metadata() {
    return MetadataHeaders.read(headers).pairs();
  }

  /**
   * Returns the metadata; null if there is none, so that a copy can keep the metadata of its
   * source.
   */
  @Nullable Map<String, String> metadataIfAny() {
    Map<String, String> metadata = metadata();
    return metadata.isEmpty() ? null : metadata;
  }

  @Nullable BlobTags tags() {
    String tags = text("x-ms-tags");
    return tags == null ? null : BlobTags.parseHeader(tags);
  }

  boolean hasTags() {
    return text("x-ms-tags") != null;
  }

  boolean hasIfTags() {
    return text(IF_TAGS) != null;
  }

  boolean hasSourceIfTags() {
    return text(SOURCE_IF_TAGS) != null;
  }

  /** Returns true if a copy gets the tags of its source. */
  boolean takesSourceTags() {
    return "COPY".equalsIgnoreCase(text(TAG_OPTION));
  }

  @Nullable RehydratePriority rehydratePriority() {
    String priority = text("x-ms-rehydrate-priority");
    return priority == null ? null : RehydratePriority.require(priority);
  }

  @Nullable AccessTier tier() {
    String tier = text("x-ms-access-tier");
    return tier == null ? null : AccessTier.require(tier);
  }

  /** Returns true if the request gives a blob an immutability policy or a legal hold. */
  boolean protects() {
    return text(POLICY_UNTIL) != null || text(POLICY_MODE) != null || flag(LEGAL_HOLD);
  }

  /** Returns the protection of the blob that the request creates (blob-features 6.1). */
  Immutability immutability() {
    boolean policy = text(POLICY_UNTIL) != null || text(POLICY_MODE) != null;
    return new Immutability(policy ? requirePolicy() : null, legalHold());
  }

  ImmutabilityPolicy requirePolicy() {
    require(POLICY_UNTIL);
    Instant until = Objects.requireNonNull(date(POLICY_UNTIL));
    String mode = text(POLICY_MODE);
    boolean locked = "locked".equalsIgnoreCase(mode);
    if (mode != null && !locked && !mode.equalsIgnoreCase("unlocked")) {
      throw invalid(POLICY_MODE, mode);
    }
    return new ImmutabilityPolicy(Ticks.of(until), locked);
  }

  /** Returns whether the request sets a legal hold. */
  boolean legalHold() {
    String hold = text(LEGAL_HOLD);
    if (hold != null && !hold.equalsIgnoreCase("true") && !hold.equalsIgnoreCase("false")) {
      throw invalid(LEGAL_HOLD, hold);
    }
    return flag(LEGAL_HOLD);
  }

  /** Returns the only condition that Set Immutability Policy knows (blob-features 6.1). */
  Conditions unmodifiedSince() {
    return new Conditions(null, null, null, date("If-Unmodified-Since"));
  }

  /**
   * Returns true if the answer to a request with an MD5 has both checksums (blob-features 10.2
   * A20).
   */
  static boolean answersBothChecksums(Request request) {
    return ApiVersion.isFrom(request, BOTH_CHECKSUMS_VERSION);
  }

  ExpectedChecksums bodyChecksums() {
    return ExpectedChecksums.parse(text("Content-MD5"), text("x-ms-content-crc64"));
  }

  ExpectedChecksums sourceChecksums() {
    return ExpectedChecksums.parse(
        text("x-ms-source-content-md5"), text("x-ms-source-content-crc64"));
  }

  /**
   * Returns the properties that Set Blob Properties gives a blob; a property that is missing is
   * null. The MD5 may be any Base64 (blob-features 10.2 A3).
   */
  HttpProperties replacedHttp() {
    String md5 = text(BLOB_MD5);
    if (md5 != null && !ExpectedChecksums.isBase64(md5)) {
      throw invalid(BLOB_MD5, md5);
    }
    return http(md5);
  }

  /**
   * Returns the properties that the request gives a new blob; a property that is missing is null.
   */
  HttpProperties http() {
    String md5 = text(BLOB_MD5);
    return http(md5 == null ? null : ExpectedChecksums.requireMd5(md5));
  }

  private HttpProperties http(@Nullable String md5) {
    return new HttpProperties(
        text("x-ms-blob-content-type"),
        text("x-ms-blob-content-encoding"),
        text("x-ms-blob-content-language"),
        text("x-ms-blob-content-disposition"),
        text("x-ms-blob-cache-control"),
        md5);
  }

  /** Returns the HTTP properties of a new blob; without a content type it gets the default type. */
  HttpProperties httpOfNewBlob() {
    return http().or(HttpProperties.DEFAULT);
  }

  /**
   * Returns the HTTP properties of a new blob. A property that is missing is taken from the
   * standard header of the request, such as {@code Content-Type}.
   */
  HttpProperties httpWithFallback() {
    HttpProperties ofBody =
        new HttpProperties(
            text("Content-Type"),
            text("Content-Encoding"),
            text("Content-Language"),
            null,
            text("Cache-Control"),
            null);
    return http().or(ofBody).or(HttpProperties.DEFAULT);
  }

  RequestTerms terms(Conditions.Use use) {
    return new RequestTerms(conditions(use), leaseId());
  }

  /** Returns the lease id and the conditions; ignores a condition on the tags of the blob. */
  RequestTerms termsWithoutTags(Conditions.Use use) {
    return new RequestTerms(checked(read(""), use), leaseId());
  }

  /** Returns the lease id and the condition on the tags of the blob; ignores other conditions. */
  RequestTerms leaseAndTags() {
    return new RequestTerms(Conditions.NONE.withIfTags(ifTags(IF_TAGS)), leaseId());
  }

  /**
   * Returns the lease id and conditions for a container, which supports conditions on dates only.
   */
  RequestTerms containerTerms() {
    return new RequestTerms(containerConditions(), leaseId());
  }

  /**
   * Returns lease id and conditions for the tags of a blob. Their conditions have headers of their
   * own since version 2026-02-06; the standard headers are ignored (blob-features 1.3).
   */
  RequestTerms tagTerms(Request request, Conditions.Use use) {
    Conditions conditions =
        ApiVersion.isFrom(request, TAG_CONDITIONS_VERSION)
            ? checked(read("x-ms-blob-"), use)
            : Conditions.NONE;
    return new RequestTerms(conditions.withIfTags(ifTags(IF_TAGS)), leaseId());
  }

  Conditions containerConditions() {
    return checked(read("").datesOnly(), Conditions.Use.WRITE);
  }

  Conditions conditions(Conditions.Use use) {
    return checked(read(""), use).withIfTags(ifTags(IF_TAGS));
  }

  Conditions sourceConditions() {
    return checked(read("x-ms-source-"), Conditions.Use.COPY_SOURCE);
  }

  /** Returns the conditions on a source whose tags may be a condition, too (blob-features 1.6). */
  Conditions sourceConditionsWithTags() {
    return sourceConditions().withIfTags(ifTags(SOURCE_IF_TAGS));
  }

  private @Nullable TagExpression ifTags(String name) {
    String value = text(name);
    return value == null
        ? null
        : TagExpressionParser.condition(value, reason -> invalid(name, value));
  }

  private static Conditions checked(Conditions conditions, Conditions.Use use) {
    ServiceError refusal = conditions.formRefusal(use);
    if (refusal != null) {
      throw refusal.exception();
    }
    return conditions;
  }

  private Conditions read(String prefix) {
    return new Conditions(
        tag(prefix + "If-Match"),
        tag(prefix + "If-None-Match"),
        date(prefix + "If-Modified-Since"),
        date(prefix + "If-Unmodified-Since"));
  }

  /** Returns the condition on a tag; null if the header is missing or empty (blob-rest 4). */
  private @Nullable ETagCondition tag(String name) {
    String value = String.join(",", headers.all(name));
    return value.isBlank() ? null : ETagCondition.parse(name, value);
  }

  private @Nullable Instant date(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    Instant date = HttpDate.parse(text);
    if (date == null) {
      throw invalid(name, text);
    }
    return date;
  }

  static ServiceException invalid(String name, String value) {
    return CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", name)
        .with("HeaderValue", value);
  }
}
