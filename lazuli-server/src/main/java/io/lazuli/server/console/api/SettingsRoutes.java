package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.ADMIN;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.access.AccessTime;
import io.lazuli.server.access.CorsRule;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Response;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServiceProperties.Logging;
import io.lazuli.server.settings.ServiceProperties.Metrics;
import io.lazuli.server.settings.ServicePropertiesXml;
import io.lazuli.server.settings.SettingsOperation;
import io.lazuli.server.settings.SettingsOutcome;
import io.lazuli.server.settings.SettingsService;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stored access policies, CORS, logging and metrics. What a request brings is written in the form
 * of the protocol and read again by the parsers of the protocol, so that no rule exists twice.
 */
public final class SettingsRoutes {
  private static final Set<String> POLICY = Set.of("id", "from", "to", "permissions");
  private static final Set<String> LOGGING = Set.of("read", "write", "delete", "days");
  private static final Set<String> METRICS = Set.of("on", "apis", "days");
  private static final Set<String> RULE =
      Set.of("origins", "methods", "headers", "exposed", "seconds");

  /**
   * A service.
   *
   * @param letters the permissions of its policies
   */
  public record Service(SettingsService settings, String letters) {}

  private final Map<String, Service> services;

  /**
   * @param services by label
   */
  public SettingsRoutes(Map<String, Service> services) {
    this.services = Map.copyOf(services);
  }

  public List<Route> routes() {
    return List.of(
        Route.of("policies", "GET /accounts/{a}/policies", ADMIN, this::policies),
        Route.of("store-policies", "PUT /accounts/{a}/policies", ADMIN, this::storePolicies),
        Route.of("properties", "GET /accounts/{a}/properties", ADMIN, this::properties),
        Route.of("store-properties", "PATCH /accounts/{a}/properties", ADMIN, this::change));
  }

  private Service service(Call call) {
    Service service = services.get(call.require("service"));
    if (service == null) {
      throw ConsoleErrors.badRequest("The service must be table, queue or blob.");
    }
    return service;
  }

  /** Returns the name of the resource in the catalogue: those of tables are in lower case. */
  private static String resource(Call call) {
    String name = call.require("resource");
    return call.require("service").equals("table") ? name.toLowerCase(Locale.ROOT) : name;
  }

  private CompletionStage<SettingsOutcome> run(Call call, SettingsOperation operation) {
    return service(call).settings.execute(operation, call.caller(), call.deadline());
  }

  private CompletionStage<Response> policies(Call call) {
    return run(call, new SettingsOperation.ReadPolicies(resource(call)))
        .thenApply(found -> answer(((SettingsOutcome.Policies) found).policies()));
  }

  private CompletionStage<Response> storePolicies(Call call) {
    String letters = service(call).letters;
    List<StoredAccessPolicy> given =
        call.json("policies").objects("policies", POLICY).stream()
            .map(SettingsRoutes::policy)
            .toList();
    List<StoredAccessPolicy> checked =
        checked(
            () -> AccessPolicyXml.parse(AccessPolicyXml.write(given), letters),
            "At most five policies, each with its own id of 1 to 64 characters and permissions of"
                + " the service.");
    return run(call, new SettingsOperation.ReplacePolicies(resource(call), checked))
        .thenApply(done -> answer(checked));
  }

  private static StoredAccessPolicy policy(JsonBody body) {
    return new StoredAccessPolicy(
        body.requireText("id"), time(body, "from"), time(body, "to"), body.text("permissions"));
  }

  private static @Nullable Instant time(JsonBody body, String name) {
    String text = body.text(name);
    Instant time = text == null ? null : AccessTime.parse(text);
    if (text != null && !text.isEmpty() && time == null) {
      throw ConsoleErrors.badRequest("A time is not like 2026-11-19T00:00:00Z.");
    }
    return time;
  }

  private static Response answer(List<StoredAccessPolicy> policies) {
    return JsonOut.answer(
        200,
        json -> {
          json.writeArrayFieldStart("policies");
          for (StoredAccessPolicy policy : policies) {
            json.writeStartObject();
            json.writeStringField("id", policy.id());
            JsonOut.text(json, "from", text(policy.start()));
            JsonOut.text(json, "to", text(policy.expiry()));
            JsonOut.text(json, "permissions", policy.permissions());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private CompletionStage<Response> properties(Call call) {
    return run(call, new SettingsOperation.ReadProperties())
        .thenApply(found -> answer(((SettingsOutcome.Properties) found).properties()));
  }

  private CompletionStage<Response> change(Call call) {
    boolean ofBlobs = call.require("service").equals("blob");
    JsonBody body = call.json("logging", "hour", "minute", "cors");
    return run(call, new SettingsOperation.ReadProperties())
        .thenCompose(
            found -> {
              ServiceProperties old = ((SettingsOutcome.Properties) found).properties();
              ServiceProperties wanted = wanted(body).applyTo(old);
              ServiceProperties.Change change =
                  checked(
                      () ->
                          ServicePropertiesXml.parse(
                              ServicePropertiesXml.write(wanted, ofBlobs), ofBlobs),
                      "A value is not one of the protocol: days are 1 to 365; at most five rules,"
                          + " each with methods and origins.");
              if (!change.isOfKnownForms()) {
                throw ConsoleErrors.badRequest("An origin has a * in a place that is not allowed.");
              }
              return run(call, new SettingsOperation.ChangeProperties(change))
                  .thenCompose(done -> properties(call));
            });
  }

  private static ServiceProperties.Change wanted(JsonBody body) {
    JsonBody logging = body.object("logging", LOGGING);
    return new ServiceProperties.Change(
        logging == null
            ? null
            : new Logging(
                "1.0",
                logging.flag("read"),
                logging.flag("write"),
                logging.flag("delete"),
                days(logging)),
        metrics(body.object("hour", METRICS)),
        metrics(body.object("minute", METRICS)),
        body.has("cors")
            ? body.objects("cors", RULE).stream().map(SettingsRoutes::rule).toList()
            : null,
        null);
  }

  private static @Nullable Metrics metrics(@Nullable JsonBody body) {
    return body == null
        ? null
        : new Metrics("1.0", body.flag("on"), body.flag("on") && body.flag("apis"), days(body));
  }

  private static @Nullable Integer days(JsonBody body) {
    long days = body.number("days", -1);
    return days == -1 ? null : (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, days));
  }

  private static CorsRule rule(JsonBody body) {
    long seconds = body.number("seconds", 0);
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      throw ConsoleErrors.badRequest("The seconds must not be negative.");
    }
    return new CorsRule(
        texts(body, "methods"),
        texts(body, "origins"),
        texts(body, "headers"),
        texts(body, "exposed"),
        (int) seconds);
  }

  private static List<String> texts(JsonBody body, String name) {
    List<String> texts = body.texts(name);
    return texts == null ? List.of() : texts;
  }

  /** Reads what was written; the errors of the protocol speak of XML, which nobody sent here. */
  private static <T> T checked(Supplier<T> parse, String why) {
    try {
      return parse.get();
    } catch (ServiceException e) {
      throw ConsoleErrors.badRequest(why);
    }
  }

  private static Response answer(ServiceProperties properties) {
    return JsonOut.answer(
        200,
        json -> {
          Logging logging = properties.logging();
          json.writeObjectFieldStart("logging");
          json.writeBooleanField("read", logging.read());
          json.writeBooleanField("write", logging.write());
          json.writeBooleanField("delete", logging.delete());
          days(json, logging.retentionDays());
          json.writeEndObject();
          metrics(json, "hour", properties.hourMetrics());
          metrics(json, "minute", properties.minuteMetrics());
          json.writeArrayFieldStart("cors");
          for (CorsRule rule : properties.corsRules()) {
            json.writeStartObject();
            texts(json, "origins", rule.allowedOrigins());
            texts(json, "methods", rule.allowedMethods());
            texts(json, "headers", rule.allowedHeaders());
            texts(json, "exposed", rule.exposedHeaders());
            json.writeNumberField("seconds", rule.maxAgeSeconds());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void metrics(JsonGenerator json, String name, Metrics metrics) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeBooleanField("on", metrics.enabled());
    json.writeBooleanField("apis", metrics.includeApis());
    days(json, metrics.retentionDays());
    json.writeEndObject();
  }

  private static void days(JsonGenerator json, @Nullable Integer days) throws IOException {
    if (days == null) {
      json.writeNullField("days");
    } else {
      json.writeNumberField("days", days);
    }
  }

  private static void texts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
