package io.lazuli.server.settings;

import io.lazuli.server.access.AccessTime;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.wire.InvalidXml;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stored access policies as XML, the same for every service (table-rest 6.5). */
public final class AccessPolicyXml {
  private static final int POLICIES_MAX = 5;
  private static final int ID_LENGTH_MAX = 64;
  private static final int BYTES_MAX = 64 << 10;

  private AccessPolicyXml() {}

  /**
   * Parses a list; an empty body is an empty list.
   *
   * @param letters the permissions that the service knows
   */
  public static List<StoredAccessPolicy> parse(byte[] body, String letters) {
    if (body.length == 0) {
      return List.of();
    }
    XmlElement root = XmlElement.parse(body, BYTES_MAX).require("SignedIdentifiers");
    if (root.children().size() > POLICIES_MAX) {
      throw InvalidXml.because("");
    }
    List<StoredAccessPolicy> policies = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (XmlElement element : root.children()) {
      StoredAccessPolicy policy = policy(element.require("SignedIdentifier"), letters);
      if (!ids.add(policy.id())) {
        throw InvalidXml.because("");
      }
      policies.add(policy);
    }
    return policies;
  }

  /** Writes a list. A policy without any field has no {@code AccessPolicy}. */
  public static byte[] write(List<StoredAccessPolicy> policies) {
    XmlWriter out = new XmlWriter();
    out.element(
        "SignedIdentifiers",
        () ->
            policies.forEach(
                policy -> out.element("SignedIdentifier", () -> writePolicy(out, policy))));
    return out.toByteArray();
  }

  private static StoredAccessPolicy policy(XmlElement element, String letters) {
    XmlElement id = element.child("Id");
    if (id == null || id.text().isEmpty() || id.text().length() > ID_LENGTH_MAX) {
      throw InvalidXml.because(
          "Signed identifier ID cannot be empty or over 64 characters in length");
    }
    XmlElement terms = element.child("AccessPolicy");
    return terms == null
        ? new StoredAccessPolicy(id.text(), null, null, null)
        : new StoredAccessPolicy(
            id.text(), time(terms, "Start"), time(terms, "Expiry"), permissions(terms, letters));
  }

  private static @Nullable Instant time(XmlElement terms, String name) {
    String text = terms.childText(name);
    if (text == null || text.isEmpty()) {
      return null;
    }
    Instant time = AccessTime.parse(text);
    if (time == null) {
      throw invalidValue(name, text);
    }
    return time;
  }

  private static @Nullable String permissions(XmlElement terms, String letters) {
    String text = terms.childText("Permission");
    if (text == null || text.isEmpty()) {
      return null;
    }
    if (!text.chars().allMatch(c -> letters.indexOf(c) >= 0)
        || text.chars().distinct().count() < text.length()) {
      throw invalidValue("Permission", text);
    }
    return text;
  }

  private static ServiceException invalidValue(String name, String value) {
    return CommonErrors.INVALID_XML_NODE_VALUE
        .exception()
        .with("XmlNodeName", name)
        .with("XmlNodeValue", value);
  }

  private static void writePolicy(XmlWriter out, StoredAccessPolicy policy) {
    out.text("Id", policy.id());
    Instant start = policy.start();
    Instant expiry = policy.expiry();
    String permissions = policy.permissions();
    if (start == null && expiry == null && permissions == null) {
      return;
    }
    out.element(
        "AccessPolicy",
        () -> {
          if (start != null) {
            out.text("Start", AccessTime.format(start));
          }
          if (expiry != null) {
            out.text("Expiry", AccessTime.format(expiry));
          }
          if (permissions != null) {
            out.text("Permission", permissions);
          }
        });
  }
}
