package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.OPERATOR;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.http.Response;
import io.lazuli.server.job.Job;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobProgress;
import io.lazuli.server.job.JobResult;
import io.lazuli.server.job.JobState;
import io.lazuli.server.job.Jobs;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes about jobs. */
public final class JobRoutes {
  private static final List<String> TEXTS =
      List.of("table", "filter", "property", "type", "value", "format", "file", "target", "mode");
  private static final List<String> FLAGS = List.of("ask", "guard");
  private static final int TEXT_CHARS_MAX = 16 << 10;

  private final Jobs jobs;

  public JobRoutes(Jobs jobs) {
    this.jobs = jobs;
  }

  public List<Route> routes() {
    String all = "/accounts/{a}/jobs";
    String one = all + "/{j}";
    return List.of(
        Route.of("jobs", "GET " + all, OPERATOR, this::list),
        Route.of("start-job", "POST " + all, OPERATOR, this::start),
        Route.of("job", "GET " + one, OPERATOR, this::find),
        Route.of("job-log", "GET " + one + "/log", OPERATOR, this::log),
        Route.of("pause-job", "POST " + one + "/pause", OPERATOR, call -> move(call, jobs::pause)),
        Route.of(
            "resume-job", "POST " + one + "/resume", OPERATOR, call -> move(call, jobs::resume)),
        Route.of(
            "cancel-job", "POST " + one + "/cancel", OPERATOR, call -> move(call, jobs::cancel)),
        Route.of("delete-job", "DELETE " + one, OPERATOR, this::remove));
  }

  private CompletionStage<Response> list(Call call) {
    List<Job> found = jobs.list(call.account());
    return done(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("jobs");
              for (Job job : found) {
                json.writeStartObject();
                fields(json, job);
                json.writeEndObject();
              }
              json.writeEndArray();
              json.writeArrayFieldStart("kinds");
              for (JobKind kind : jobs.kinds()) {
                json.writeStartObject();
                json.writeStringField("name", kind.name());
                json.writeStringField("unavailable", kind.unavailable());
                json.writeObjectFieldStart("formats");
                for (Map.Entry<String, String> format : kind.unavailableFormats().entrySet()) {
                  json.writeStringField(format.getKey(), format.getValue());
                }
                json.writeEndObject();
                json.writeEndObject();
              }
              json.writeEndArray();
            }));
  }

  /** Returns the fields of those jobs that are not over. */
  public static List<JsonOut.Fields> open(List<Job> jobs) {
    List<JsonOut.Fields> open = new ArrayList<>();
    for (Job job : jobs) {
      if (!job.state().isEnd() && job.state() != JobState.FAILED) {
        open.add(json -> fields(json, job));
      }
    }
    return open;
  }

  private CompletionStage<Response> start(Call call) {
    List<String> known = new ArrayList<>(TEXTS);
    known.addAll(FLAGS);
    known.addAll(List.of("kind", "rate"));
    JsonBody body = call.json(known.toArray(String[]::new));
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String name : TEXTS) {
      String text = body.text(name);
      if (text != null) {
        if (text.length() > TEXT_CHARS_MAX) {
          throw ConsoleErrors.badRequest("A field of a job has at most 16,384 characters.");
        }
        parameters.put(name, text);
      }
    }
    if (body.has("rate")) {
      parameters.put("rate", Long.toString(body.number("rate", 0)));
    }
    for (String name : FLAGS) {
      if (body.has(name) && !body.flag(name)) {
        parameters.put(name, "no");
      }
    }
    Job job = jobs.order(call.account(), body.requireText("kind"), parameters, user(call));
    return done(answer(202, job));
  }

  private CompletionStage<Response> find(Call call) {
    return done(answer(200, jobs.find(call.account(), call.name("j"))));
  }

  private CompletionStage<Response> log(Call call) {
    List<String> lines = jobs.log(call.account(), call.name("j"));
    return done(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("lines");
              for (String line : lines) {
                int space = line.indexOf(' ');
                json.writeStartObject();
                json.writeStringField("at", line.substring(0, Math.max(0, space)));
                json.writeStringField("text", line.substring(space + 1));
                json.writeEndObject();
              }
              json.writeEndArray();
            }));
  }

  @FunctionalInterface
  private interface Move {
    Job move(String account, String id, String user);
  }

  private static CompletionStage<Response> move(Call call, Move move) {
    JsonBody unused = call.json();
    return done(answer(200, move.move(call.account(), call.name("j"), user(call))));
  }

  private CompletionStage<Response> remove(Call call) {
    jobs.remove(call.account(), call.name("j"));
    return done(Response.of(204).build());
  }

  private static String user(Call call) {
    Session session = call.session();
    return session == null ? "somebody" : session.user();
  }

  private static CompletionStage<Response> done(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  private static Response answer(int status, Job job) {
    return JsonOut.answer(status, json -> fields(json, job));
  }

  /** Writes the fields of a job. */
  public static void fields(JsonGenerator json, Job job) throws IOException {
    json.writeStringField("id", job.id());
    json.writeNumberField("version", job.version());
    json.writeStringField("kind", job.kind());
    json.writeStringField("state", job.state().text());
    json.writeStringField("wish", job.wish().text());
    json.writeBooleanField("asks", job.asks());
    json.writeStringField("user", job.user());
    json.writeStringField("created", job.created().toString());
    Instant ended = job.ended();
    JsonOut.text(json, "ended", ended == null ? null : ended.toString());
    json.writeObjectFieldStart("parameters");
    for (Map.Entry<String, String> each : new TreeMap<>(job.parameters()).entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    JobProgress progress = job.progress();
    json.writeStringField("unit", progress.unit());
    json.writeNumberField("done", progress.done());
    number(json, "of", progress.of());
    json.writeBooleanField("exact", progress.exact());
    json.writeNumberField("rate", progress.perSecond());
    number(json, "left", progress.secondsLeft());
    json.writeStringField("message", job.message());
    JobResult result = job.result();
    if (result == null) {
      json.writeNullField("result");
    } else {
      json.writeObjectFieldStart("result");
      json.writeStringField("name", result.name());
      json.writeNumberField("bytes", result.bytes());
      json.writeEndObject();
    }
  }

  private static void number(JsonGenerator json, String name, @Nullable Long value)
      throws IOException {
    if (value == null || value < 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }
}
