package io.lazuli.server.auth;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The text that requests to one service sign, with names for its fields. For explanations, not for
 * verification.
 *
 * @param fullNames the names of the lines before the canonicalized parts
 * @param verifier creates the server's own verifier from a clock and a date window
 */
record SigningRules(
    SignedText full,
    SignedText lite,
    List<String> fullNames,
    List<String> liteNames,
    SasForm sas,
    BiFunction<Clock, Duration, SharedKey> verifier) {

  /** Returns the rules of a service; null if the service is unknown. */
  static @Nullable SigningRules of(String service) {
    return switch (service) {
      case "table" -> ofTables();
      case "queue" -> ofBlobsAndQueues(SasForm.ofQueues());
      case "blob" -> ofBlobsAndQueues(SasForm.ofBlobs());
      default -> null;
    };
  }

  private static SigningRules ofBlobsAndQueues(SasForm sas) {
    BlobAndQueueSignedText text = BlobAndQueueSignedText.ORDERS.get(0);
    return new SigningRules(
        text::sharedKey,
        text::sharedKeyLite,
        List.of(
            "VERB",
            "Content-Encoding",
            "Content-Language",
            "Content-Length",
            "Content-MD5",
            "Content-Type",
            "Date",
            "If-Modified-Since",
            "If-Match",
            "If-None-Match",
            "If-Unmodified-Since",
            "Range"),
        List.of("VERB", "Content-MD5", "Content-Type", "Date"),
        sas,
        SharedKey::ofBlobsAndQueues);
  }

  private static SigningRules ofTables() {
    return new SigningRules(
        TableSignedText::sharedKey,
        TableSignedText::sharedKeyLite,
        List.of("VERB", "Content-MD5", "Content-Type", "Date"),
        List.of("Date"),
        SasForm.ofTables(),
        SharedKey::ofTables);
  }

  /** Splits a string-to-sign into its fields. */
  List<SignedField> fields(boolean isLite, String text) {
    List<String> names = isLite ? liteNames : fullNames;
    String[] lines = text.split("\n", -1);
    List<SignedField> fields = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      String canonical = lines[i].startsWith("x-ms-") ? "Headers" : "Resource";
      String name = i < names.size() ? names.get(i) : "Canonicalized" + canonical;
      fields.add(new SignedField(name, lines[i]));
    }
    return fields;
  }
}
