package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.OPERATOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteSnapshot;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOperation.ReplaceHttp;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.TakeSnapshot;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.BlobLeased;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedContainer;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.server.blob.service.BlobOutcome.ListedPrefix;
import io.lazuli.server.blob.service.BlobOutcome.SnapshotTaken;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.json.PageTokens;
import io.lazuli.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes about containers and blobs, without their content. */
public final class BlobRoutes {
  private final BlobService service;
  private final PageTokens tokens;

  public BlobRoutes(BlobService service, PageTokens tokens) {
    this.service = service;
    this.tokens = tokens;
  }

  public List<Route> routes() {
    String containers = "/accounts/{a}/containers";
    String container = containers + "/{c}";
    return List.of(
        Route.of("containers", "GET " + containers, READER, this::containers),
        Route.of("create-container", "POST " + containers, EDITOR, this::create),
        Route.of("delete-container", "DELETE " + container, EDITOR, this::deleteContainer),
        Route.of("blobs", "GET " + container + "/blobs", READER, this::blobs),
        Route.of("blob", "GET " + container + "/blob", READER, this::blob),
        Route.of("change-blob", "PATCH " + container + "/blob", EDITOR, this::change),
        Route.of("delete-blob", "DELETE " + container + "/blob", EDITOR, this::delete),
        Route.of("snapshot", "POST " + container + "/snapshots", EDITOR, this::snapshot),
        Route.of("lease", "POST " + container + "/lease", OPERATOR, this::lease));
  }

  private CompletionStage<BlobOutcome> execute(Call call, BlobOperation operation) {
    return service.execute(operation, call.caller(), call.deadline());
  }

  static BlobAddress address(Call call) {
    return BlobAddress.require(call.name("c"), call.require("blob"));
  }

  /** Returns the snapshot or version that a request names; null for the blob itself. */
  static @Nullable NamedState state(Call call) {
    String snapshot = call.parameter("snapshot");
    String version = call.parameter("version");
    if (snapshot != null && version != null) {
      throw ConsoleErrors.badRequest("A request names a snapshot or a version, not both.");
    }
    if (snapshot != null) {
      return NamedState.snapshot(SnapshotTime.requireParameter(snapshot));
    }
    return version == null
        ? null
        : NamedState.version(SnapshotTime.requireParameter("versionid", version));
  }

  private CompletionStage<Response> containers(Call call) {
    String prefix = call.parameter("prefix", "");
    List<String> scope = List.of("containers", call.account(), prefix);
    String after = call.parameter("after");
    String from =
        after == null ? "" : new String(tokens.read(scope, after), StandardCharsets.UTF_8);
    return execute(call, new ListContainers(prefix, from, call.limit(), true))
        .thenApply(
            outcome -> {
              ContainerPage page = (ContainerPage) outcome;
              String next = page.next();
              return JsonOut.answer(
                  200,
                  json -> {
                    json.writeArrayFieldStart("rows");
                    for (ListedContainer container : page.containers()) {
                      ContainerProperties stored = container.properties();
                      json.writeStartObject();
                      json.writeStringField("name", container.name());
                      json.writeStringField("changed", BlobJson.time(stored.changedTicks()));
                      json.writeStringField("etag", BlobETag.text(stored.changedTicks()));
                      json.writeStringField("lease", stored.lease().state(page.now()).text());
                      String open = stored.publicAccess().text();
                      json.writeStringField("public", open.isEmpty() ? "none" : open);
                      json.writeEndObject();
                    }
                    json.writeEndArray();
                    JsonOut.text(
                        json,
                        "next",
                        next == null
                            ? null
                            : tokens.write(scope, next.getBytes(StandardCharsets.UTF_8)));
                  });
            });
  }

  private CompletionStage<Response> create(Call call) {
    ContainerName name = ContainerName.requireNew(call.json("name").requireText("name"));
    return execute(call, new CreateContainer(name, Map.of(), PublicAccess.NONE))
        .thenApply(made -> JsonOut.answer(201, json -> json.writeStringField("name", name.text())));
  }

  private CompletionStage<Response> deleteContainer(Call call) {
    ContainerName name = ContainerName.require(call.name("c"));
    return execute(call, new DeleteContainer(name, RequestTerms.NONE))
        .thenApply(done -> Response.of(204).build());
  }

  private CompletionStage<Response> blobs(Call call) {
    ContainerName container = ContainerName.require(call.name("c"));
    String prefix = call.parameter("prefix", "");
    String delimiter = call.parameter("delimiter", "");
    Set<String> show = show(call.parameter("show", ""));
    boolean former =
        show.contains("snapshots") || show.contains("versions") || show.contains("deleted");
    if (former && !delimiter.isEmpty()) {
      throw ConsoleErrors.badRequest("Snapshots, versions and deleted blobs need a flat list.");
    }
    List<String> scope =
        List.of(
            "blobs", call.account(), container.text(), prefix, delimiter, String.join(",", show));
    String after = call.parameter("after");
    ListMarker marker =
        after == null
            ? null
            : ListMarker.require(new String(tokens.read(scope, after), StandardCharsets.UTF_8));
    return execute(
            call,
            new ListBlobs(
                container,
                prefix,
                NameBounds.NONE,
                delimiter,
                marker,
                call.limit(),
                show.contains("snapshots"),
                show.contains("uncommitted"),
                new FormerStates(show.contains("deleted"), show.contains("versions"), false)))
        .thenApply(outcome -> listed((BlobPage) outcome, scope));
  }

  private static Set<String> show(String text) {
    Set<String> known = Set.of("snapshots", "versions", "deleted", "uncommitted");
    List<String> given = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    if (!known.containsAll(given)) {
      throw ConsoleErrors.badRequest("The parameter show has an unknown word.");
    }
    return new TreeSet<>(given);
  }

  private Response listed(BlobPage page, List<String> scope) {
    ListMarker next = page.next();
    return JsonOut.answer(
        200,
        json -> {
          json.writeArrayFieldStart("rows");
          for (ListedItem item : page.items()) {
            json.writeStartObject();
            if (item instanceof ListedPrefix prefix) {
              json.writeStringField("prefix", prefix.name());
            } else if (item instanceof ListedBlob blob) {
              BlobJson.fields(
                  json, blob.name().text(), blob.state(), blob.properties(), page.now());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          JsonOut.text(
              json,
              "next",
              next == null
                  ? null
                  : tokens.write(scope, next.text().getBytes(StandardCharsets.UTF_8)));
        });
  }

  private CompletionStage<Response> blob(Call call) {
    return found(call, state(call), 200);
  }

  /** Answers with the properties of a blob as they are now. */
  CompletionStage<Response> found(Call call, @Nullable NamedState state, int status) {
    BlobAddress at = address(call);
    return execute(call, new ReadProperties(at, state, RequestTerms.NONE))
        .thenApply(
            outcome -> {
              BlobFound found = (BlobFound) outcome;
              return JsonOut.answer(
                  status,
                  json -> {
                    BlobJson.fields(json, at.blob().text(), state, found.properties(), found.now());
                    BlobJson.details(json, found.properties(), found.now());
                  });
            });
  }

  /** Makes one change after the other; the first is conditional. */
  private CompletionStage<Response> change(Call call) {
    JsonBody body =
        call.json(
            "type", "encoding", "language", "disposition", "cacheControl", "metadata", "tags");
    BlobAddress at = address(call);
    RequestTerms terms =
        new RequestTerms(
            new Conditions(
                ETagCondition.parse("If-Match", call.requireHeader("If-Match")), null, null, null),
            null);
    return execute(call, new ReadProperties(at, null, terms))
        .thenCompose(
            outcome -> {
              HttpProperties old = ((BlobFound) outcome).properties().http();
              CompletionStage<?> done = CompletableFuture.completedFuture(null);
              RequestTerms left = terms;
              for (BlobOperation change : changes(body, at, old)) {
                RequestTerms now = left;
                done =
                    done.thenComposeAsync(
                        before -> execute(call, withTerms(change, now)), call.workers());
                left = RequestTerms.NONE;
              }
              return done;
            })
        .thenComposeAsync(done -> found(call, null, 200), call.workers());
  }

  private static List<BlobOperation> changes(JsonBody body, BlobAddress at, HttpProperties old) {
    List<BlobOperation> changes = new ArrayList<>();
    if (body.has("type")
        || body.has("encoding")
        || body.has("language")
        || body.has("disposition")
        || body.has("cacheControl")) {
      HttpProperties http =
          new HttpProperties(
              value(body, "type", old.contentType()),
              value(body, "encoding", old.contentEncoding()),
              value(body, "language", old.contentLanguage()),
              value(body, "disposition", old.contentDisposition()),
              value(body, "cacheControl", old.cacheControl()),
              old.contentMd5());
      changes.add(new ReplaceHttp(at, http, RequestTerms.NONE));
    }
    Map<String, String> metadata = body.textMap("metadata");
    if (metadata != null) {
      changes.add(new ReplaceMetadata(at, BlobJson.metadata(metadata), RequestTerms.NONE));
    }
    Map<String, String> tags = body.textMap("tags");
    if (tags != null) {
      BlobTags checked = BlobTags.require(List.copyOf(tags.entrySet()));
      changes.add(new ReplaceTags(at, null, checked, RequestTerms.NONE));
    }
    return changes;
  }

  private static BlobOperation withTerms(BlobOperation change, RequestTerms terms) {
    if (change instanceof ReplaceHttp http) {
      return new ReplaceHttp(http.at(), http.http(), terms);
    } else if (change instanceof ReplaceMetadata metadata) {
      return new ReplaceMetadata(metadata.at(), metadata.metadata(), terms);
    }
    // The condition of tags is one on tags only; the blob was read with the condition before.
    return change;
  }

  private static @Nullable String value(JsonBody body, String name, @Nullable String old) {
    return body.has(name) ? BlobJson.header(body.text(name)) : old;
  }

  private CompletionStage<Response> delete(Call call) {
    BlobAddress at = address(call);
    NamedState state = state(call);
    BlobOperation operation;
    if (state == null) {
      DeletedSnapshots snapshots =
          switch (call.parameter("snapshots", "")) {
            case "" -> DeletedSnapshots.NOT_SAID;
            case "include" -> DeletedSnapshots.INCLUDE;
            case "only" -> DeletedSnapshots.ONLY;
            default -> throw ConsoleErrors.badRequest("The snapshots are include or only.");
          };
      operation = new DeleteBlob(at, snapshots, RequestTerms.NONE);
    } else {
      operation =
          state.isSnapshot()
              ? new DeleteSnapshot(at, state.ticks(), RequestTerms.NONE)
              : new DeleteVersion(at, state.ticks(), RequestTerms.NONE);
    }
    return execute(call, operation).thenApply(done -> Response.of(204).build());
  }

  private CompletionStage<Response> snapshot(Call call) {
    return execute(call, new TakeSnapshot(address(call), null, RequestTerms.NONE))
        .thenApply(
            outcome ->
                JsonOut.answer(
                    201,
                    json ->
                        json.writeStringField(
                            "snapshot",
                            SnapshotTime.text(((SnapshotTaken) outcome).snapshotTicks()))));
  }

  private CompletionStage<Response> lease(Call call) {
    JsonBody body = call.json("action", "id", "seconds");
    long seconds = body.number("seconds", Lease.INFINITE);
    if (seconds != Lease.INFINITE && (seconds < 15 || seconds > 60)) {
      throw ConsoleErrors.badRequest("A lease lasts 15 to 60 seconds, or -1 for ever.");
    }
    LeaseAction action =
        switch (body.requireText("action")) {
          case "acquire" -> new LeaseAction.Acquire(UUID.randomUUID(), (int) seconds);
          case "release" -> new LeaseAction.Release(id(body.requireText("id")));
          case "break" -> new LeaseAction.Break(0);
          default -> throw ConsoleErrors.badRequest("The action is acquire, release or break.");
        };
    return execute(call, new LeaseBlob(address(call), action, Conditions.NONE))
        .thenCompose(
            outcome -> {
              UUID id = ((BlobLeased) outcome).properties().lease().id();
              return execute(call, new ReadProperties(address(call), null, RequestTerms.NONE))
                  .thenApply(
                      read -> {
                        BlobFound found = (BlobFound) read;
                        return JsonOut.answer(
                            200,
                            json -> {
                              JsonOut.text(json, "id", id == null ? null : id.toString());
                              json.writeStringField(
                                  "state", found.properties().lease().state(found.now()).text());
                            });
                      });
            });
  }

  private static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw ConsoleErrors.badRequest("The id is not a GUID.");
    }
  }
}
