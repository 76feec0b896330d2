package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import io.lazuli.server.design.Groups.Details;
import io.lazuli.server.design.KeyChoice.Wish;
import io.lazuli.server.design.KeyPart.Form;
import io.lazuli.server.design.Path.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts a design into words: the patterns that it uses and why, and what will hurt. */
final class Wording {
  private final Model model;
  private final Groups groups;
  private final Map<EntityType, Candidate> designs;
  private final List<Choice> choices = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();

  Wording(Model model, Groups groups, Map<EntityType, Candidate> designs) {
    this.model = model;
    this.groups = groups;
    this.designs = designs;
  }

  Proposal proposal(String title, String why) {
    List<TableDesign> tables = new ArrayList<>();
    for (List<EntityType> group : groups.all()) {
      String table = Names.table(group.get(0).name());
      for (EntityType entity : group) {
        tables.add(table(entity, table, group.size() > 1));
      }
    }
    double read = 0;
    double returned = 0;
    double written = 0;
    double changes = 0;
    double cost = 0;
    for (TableDesign table : tables) {
      for (AccessPlan plan : table.plans()) {
        double rate = plan.access().perSecond();
        cost += plan.costPerSecond();
        if (plan.access().verb().reads()) {
          read += rate * plan.read();
          returned += rate * plan.returned();
        } else if (plan.access().olderDays() == 0) {
          written += rate * plan.written();
          changes += rate;
        }
      }
    }
    return new Proposal(
        title,
        why,
        tables,
        choices,
        warnings,
        cost,
        returned == 0 ? 0 : read / returned,
        changes == 0 ? 0 : written / changes);
  }

  private TableDesign table(EntityType entity, String table, boolean shared) {
    Candidate design = Objects.requireNonNull(designs.get(entity));
    Layout layout = design.layout();
    String copied = null;
    String cached = null;
    List<AccessPlan> plans = new ArrayList<>();
    for (AccessPlan plan : design.plans()) {
      Details how = groups.details(plan.access());
      copied = how == Details.COPIED ? plan.access().with() : copied;
      cached = how == Details.CACHED ? plan.access().with() : cached;
      plans.add(how == Details.SECOND_REQUEST ? withSecondRequest(plan) : withCopies(entity, plan));
      if (how != null) {
        details(entity, plan.access(), how);
      }
    }
    storage(layout);
    keys(layout, design);
    paths(entity, design);
    writes(entity, shared);
    warn(layout, design);
    return new TableDesign(
        layout.entity(),
        table,
        design.keys(),
        layout.storage(),
        layout.parts(),
        layout.value(),
        design.paths(),
        plans,
        copied,
        cached);
  }

  private static AccessPlan withSecondRequest(AccessPlan plan) {
    return new AccessPlan(
        plan.access(),
        plan.path(),
        plan.kind(),
        plan.read() + plan.returned(),
        plan.returned(),
        plan.requests() + plan.returned(),
        plan.written(),
        plan.sorts());
  }

  /** Adds what it costs to change an entity whose details others hold (docs/patterns/copies.md). */
  private AccessPlan withCopies(EntityType entity, AccessPlan plan) {
    boolean changes =
        !plan.access().verb().reads()
            && plan.access().verb() != Verb.INSERT
            && groups.isCopied(entity);
    return changes
        ? new AccessPlan(
            plan.access(),
            plan.path(),
            plan.kind(),
            plan.read(),
            plan.returned(),
            plan.requests() + 2,
            plan.written() + 1,
            plan.sorts())
        : plan;
  }

  private void choose(GuidePattern pattern, EntityType entity, String reason) {
    boolean there =
        choices.stream().anyMatch(c -> c.pattern() == pattern && c.entity().equals(entity.name()));
    if (!there) {
      choices.add(new Choice(pattern, entity.name(), reason));
    }
  }

  private void warn(Warning.Kind kind, EntityType entity, String text) {
    warnings.add(new Warning(kind, entity.name(), text));
  }

  private void details(EntityType entity, Access access, Details how) {
    String with = Objects.requireNonNull(access.with());
    EntityType other = model.entity(Objects.requireNonNull(entity.property(with).refersTo()));
    switch (how) {
      case COPIED -> {
        choose(
            GuidePattern.DENORMALIZATION,
            entity,
            "Its readers also need details of "
                + other.name()
                + ", which changes less often: a copy saves a request.");
        if (!groups.areTogether(entity, other)) {
          eventual(entity, "The copies of " + other.name() + " are in other partitions.");
        }
      }
      case CACHED ->
          choose(
              GuidePattern.JOIN_IN_CLIENT,
              entity,
              Figures.of((double) other.count())
                  + " entities of "
                  + other.name()
                  + " rarely change: the client reads them once and keeps them.");
      case SECOND_REQUEST ->
          warn(
              Warning.Kind.SCAN,
              entity,
              "‘"
                  + access.text()
                  + "’ needs a second request: "
                  + other.name()
                  + " changes too often, or too many entities would hold a copy.");
    }
  }

  private void eventual(EntityType entity, String why) {
    choose(GuidePattern.EVENTUAL_CONSISTENCY, entity, why + " A queue announces each change.");
    warn(
        Warning.Kind.NO_TRANSACTION,
        entity,
        why + " No transaction spans both, so readers see the old state there for a while.");
  }

  private void storage(Layout layout) {
    GuidePattern pattern =
        switch (layout.storage()) {
          case PLAIN -> null;
          case SERIES -> GuidePattern.DATA_SERIES;
          case WIDE -> GuidePattern.WIDE_ENTITIES;
          case LARGE -> GuidePattern.LARGE_ENTITIES;
          case PERIOD -> GuidePattern.HIGH_VOLUME_DELETE;
          case LOG -> GuidePattern.LOG_DATA;
        };
    if (pattern != null) {
      choose(pattern, layout.entity(), layout.reason());
    }
    if (layout.storage() == Storage.WIDE
        && (layout.parts() > Layout.PARTS_MAX || layout.entity().bytes() > 4 << 20)) {
      warn(
          Warning.Kind.LIMITS,
          layout.entity(),
          "One transaction takes 100 entities and 4 MiB. Put parts of it into blobs.");
    }
  }

  private void keys(Layout layout, Candidate design) {
    if (layout.storage() == Storage.LOG) {
      return;
    }
    EntityType entity = layout.entity();
    List<KeyPart> row = design.keys().row().stream().filter(part -> !part.isLiteral()).toList();
    boolean ticks = row.stream().anyMatch(part -> part.form() == Form.REVERSED_TICKS);
    if (ticks) {
      choose(
          GuidePattern.LOG_TAIL,
          entity,
          "The newest are read first. Row keys begin with the ticks until the year 9999, so the"
              + " newest comes first.");
    }
    Set<String> partition = design.keys().partitionProperties();
    boolean timeFirst =
        !row.isEmpty() && entity.property(row.get(0).name()).type() == Type.DATETIME;
    if (partition.size() > 1 || (row.size() > 1 && !timeFirst)) {
      choose(
          GuidePattern.COMPOUND_KEY,
          entity,
          "A key of several values: entities that are read together are neighbours.");
    }
    if (partition.size() > 1) {
      Set<String> first = Set.of(partition.iterator().next());
      Candidate narrower = new KeyChoice(layout, false).best(Wish.BEST, first, null);
      if (narrower != null && narrower.isHot()) {
        choose(
            GuidePattern.SPREAD_INSERTS,
            entity,
            "With "
                + first.iterator().next()
                + " alone, one partition would take "
                + Figures.of(narrower.load())
                + " entities each second. Both values spread them.");
      }
    }
  }

  private void paths(EntityType entity, Candidate design) {
    for (Path path : design.paths()) {
      String word = path.name();
      switch (path.placement()) {
        case ROWS ->
            choose(
                GuidePattern.INTRA_PARTITION_INDEX,
                entity,
                "A copy by " + word + " in the same partition, written by the same transaction.");
        case PARTITIONS ->
            choose(
                GuidePattern.INTER_PARTITION_INDEX,
                entity,
                "A copy by " + word + " in a partition of its own.");
        case LIST_ROWS, LIST_PARTITION, LIST_BLOBS ->
            choose(
                GuidePattern.INDEX_ENTITIES,
                entity,
                "Several entities have the same "
                    + word
                    + ": a list of their keys, "
                    + place(path.placement()));
      }
      if (!path.placement().isHere()) {
        eventual(entity, "Copies or lists by " + word + " are in other partitions.");
      }
    }
  }

  private static String place(Placement placement) {
    return switch (placement) {
      case LIST_ROWS -> "an entity in the same partition.";
      case LIST_PARTITION -> "an entity in another partition.";
      default -> "a blob, because it does not fit into 1 MiB.";
    };
  }

  private void writes(EntityType entity, boolean shared) {
    for (Access access : model.of(entity)) {
      String with = access.with();
      if (access.verb() == Verb.ARCHIVE) {
        eventual(entity, "The archive is another table.");
      } else if (with != null && !access.verb().reads()) {
        EntityType other = model.entity(with);
        if (shared && groups.areTogether(entity, other)) {
          choose(
              GuidePattern.ONE_TO_MANY,
              entity,
              "Changes together with "
                  + other.name()
                  + ": both are in one partition, so that one transaction writes both.");
        } else {
          eventual(entity, "It changes together with " + other.name() + ", which is elsewhere.");
        }
      }
    }
  }

  private void warn(Layout layout, Candidate design) {
    EntityType entity = layout.entity();
    if (layout.storage() == Storage.LOG) {
      return;
    }
    double inserts = Layout.rate(layout.accesses(), Verb.INSERT);
    KeyPart first = design.keys().partition().isEmpty() ? null : design.keys().partition().get(0);
    if (first != null && isTime(first) && inserts >= Layout.APPENDS_PER_SECOND) {
      warn(
          Warning.Kind.APPEND,
          entity,
          "All "
              + Figures.of(inserts)
              + " inserts each second go to the last partition: one server does all the work.");
    }
    if (design.isHot()) {
      warn(
          Warning.Kind.HOT_PARTITION,
          entity,
          "A partition reads and writes "
              + Figures.of(design.load())
              + " entities each second; Azure takes 2,000. The key spreader helps.");
    }
    if (design.isTooLarge()) {
      warn(
          Warning.Kind.LARGE_PARTITION,
          entity,
          "A partition has "
              + Figures.of(design.inPartition())
              + " entities, more than 20 GB. Azure Cosmos DB refuses that.");
    }
    for (AccessPlan plan : design.plans()) {
      warn(entity, plan);
    }
  }

  private void warn(EntityType entity, AccessPlan plan) {
    String text = "‘" + plan.access().text() + "’ ";
    AccessPlan.Kind kind = plan.kind();
    if (kind != null && KeyChoice.isScan(plan)) {
      warn(
          Warning.Kind.SCAN,
          entity,
          text
              + "is a "
              + kind.text()
              + ": it reads "
              + Figures.of(plan.read())
              + " entities for "
              + Figures.of(plan.returned())
              + ".");
    }
    if (plan.sorts()) {
      warn(Warning.Kind.SORT, entity, text + "comes in the order of keys: the client sorts it.");
    }
    for (String name : plan.access().changes()) {
      if (changesKey(entity, name)) {
        warn(
            Warning.Kind.KEY_CHANGES,
            entity,
            text + "changes " + name + ", which is part of a key: the entity has to move.");
      }
    }
  }

  private boolean changesKey(EntityType entity, String name) {
    @Nullable Candidate design = null;
    for (Map.Entry<EntityType, Candidate> each : designs.entrySet()) {
      design = each.getKey().name().equals(entity.name()) ? each.getValue() : design;
    }
    return design != null
        && (design.keys().partitionProperties().contains(name)
            || Keys.properties(design.keys().row()).contains(name));
  }

  private static boolean isTime(KeyPart part) {
    return part.form() == Form.DAY
        || part.form() == Form.TIME
        || part.form() == Form.REVERSED_TICKS;
  }
}
