package io.lazuli.server.auth;

import io.lazuli.server.access.AccessTime;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Describes the faults in the fields of a shared access signature. The signature itself is not
 * checked.
 */
final class SasTerms {
  private static final Set<String> NAMES = Set.of("sig", "sv", "se", "sp", "tn", "ss", "srt");

  private final Request request;
  private final SasParameters sas;
  private final List<String> remarks = new ArrayList<>();

  private SasTerms(Request request, SasParameters sas) {
    this.request = request;
    this.sas = sas;
  }

  static List<String> remarks(Request request, SasParameters sas, SasForm form, Instant now) {
    SasTerms terms = new SasTerms(request, sas);
    terms.signature();
    terms.version();
    terms.kind(form);
    terms.times(now);
    terms.protocolAndAddress();
    terms.keys();
    return terms.remarks;
  }

  private void say(boolean wrong, String remark) {
    if (wrong) {
      remarks.add(remark);
    }
  }

  private void signature() {
    for (Query.Parameter parameter : request.query().parameters()) {
      String lower = parameter.name().toLowerCase(Locale.ROOT);
      say(
          NAMES.contains(lower) && !lower.equals(parameter.name()),
          "the parameter " + parameter.name() + " must be written " + lower);
    }
    String raw = ("&" + request.rawQuery()).replaceFirst(".*&sig=([^&]*).*", "$1");
    say(
        raw.contains("+"),
        "sig contains an unescaped plus sign; this server accepts it, others need %2B");
    say(raw.contains("%25"), "sig was escaped twice: %25 is an escaped percent sign");
    say(
        sas.has("skoid"),
        "it is made with a user delegation key (skoid), which the running server computes; the"
            + " signature was not checked");
  }

  private void version() {
    String version = sas.text("sv");
    say(version.isEmpty(), "sv is missing");
    say(
        !version.isEmpty() && !version.matches("\\d{4}-\\d{2}-\\d{2}"),
        "sv is not a date like 2019-02-02");
  }

  private void kind(SasForm form) {
    boolean ofAccount = sas.has("ss") || sas.has("srt");
    if (ofAccount) {
      say(!sas.has("ss"), "ss, the services, is missing");
      say(!sas.has("srt"), "srt, the types of resources, is missing");
      say(
          sas.has("ss") && !form.isAmong(sas.text("ss")),
          "ss does not name the " + form.service() + " service");
      say(sas.has("tn") || sas.has("si"), "tn and si cannot be combined with ss and srt");
      return;
    }
    String resource = form.resource().find(sas, request);
    if (resource == null) {
      say(form.service().equals("table"), "it names no table: tn is missing");
      say(form.service().equals("queue"), "it is not for a queue, or the path contains none");
      say(form.service().equals("blob"), blobKind());
    } else if (sas.has("tn")) {
      String table = request.address().path().replaceFirst("^/([A-Za-z0-9]*).*", "$1");
      say(
          !table.isEmpty() && !table.equalsIgnoreCase(resource),
          "it is for the table " + resource + ", but the request is for " + table);
    }
  }

  private String blobKind() {
    return switch (sas.text("sr")) {
      case "" ->
          "sr is missing: b for a blob, c for a container, d for a directory, bs for a snapshot, bv"
              + " for a version";
      case "c" -> "the path contains no container";
      case "b" -> "the path contains no blob";
      case "bs" -> "the path contains no blob, or the parameter snapshot is missing";
      case "bv" -> "the path contains no blob, or the parameter versionid is missing";
      case "d" -> "sdd is not the number of segments of the directory, or the name has fewer";
      default -> "sr is not b, c, d, bs or bv, the values that this server knows";
    };
  }

  private void times(Instant now) {
    boolean hasPolicy = sas.has("si");
    say(hasPolicy, "the stored access policy " + sas.text("si") + " was not checked");
    say(!sas.has("se") && !hasPolicy, "se, the expiry, is missing");
    say(!sas.has("sp") && !hasPolicy, "sp, the permissions, is missing");
    Instant start = sas.has("st") ? AccessTime.parse(sas.text("st")) : null;
    Instant expiry = sas.has("se") ? AccessTime.parse(sas.text("se")) : null;
    say(sas.has("st") && start == null, "st is not a time like 2034-01-01T00:00:00Z");
    say(sas.has("se") && expiry == null, "se is not a time like 2034-01-01T00:00:00Z");
    say(start != null && now.isBefore(start), "it is not valid yet: st is in the future");
    say(expiry != null && !now.isBefore(expiry), "it has expired: se is in the past");
  }

  private void protocolAndAddress() {
    String protocol = sas.text("spr");
    say(
        protocol.equals("https") && !request.scheme().equals("https"),
        "spr allows https only, and the request came over " + request.scheme());
    say(
        !Set.of("", "https", "https,http", "http,https").contains(protocol),
        "spr is neither https nor https,http");
    if (sas.has("sip")) {
      AddressRange range = AddressRange.parse(sas.text("sip"));
      say(range == null, "sip is neither an IPv4 address nor a range of them");
      say(
          range != null && !range.contains(request.remoteAddress()),
          "sip does not allow the address "
              + request.remoteAddress()
              + "; give the client's address with --from");
    }
  }

  private void keys() {
    say(sas.has("srk") && !sas.has("spk"), "srk needs spk");
    say(sas.has("erk") && !sas.has("epk"), "erk needs epk");
  }
}
