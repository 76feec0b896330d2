package io.lazuli.server.design;

import io.lazuli.server.design.KeyChoice.Wish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Proposes designs for a model, the best first. docs/model.md states the rules. */
public final class Proposals {
  private static final int PROPOSALS_MAX = 4;

  private final Model model;
  private final Groups groups;
  private final Map<EntityType, Layout> layouts = new LinkedHashMap<>();

  private Proposals(Model model) {
    this.model = model;
    this.groups = new Groups(model);
    for (EntityType entity : model.entities()) {
      layouts.put(entity, Layout.of(entity, model.of(entity)));
    }
  }

  /** A design before it is put into words. */
  private record Draft(String title, Map<EntityType, Candidate> designs, double score) {}

  /** Returns one to four proposals, the best first. */
  public static List<Proposal> of(Model model) {
    return new Proposals(model).all();
  }

  private List<Proposal> all() {
    List<Draft> drafts = new ArrayList<>();
    Draft best = draft("Keys for the accesses, copies where keys do not serve", Wish.BEST, null);
    add(drafts, best);
    add(drafts, draft("Keys for the accesses, no copies", Wish.NO_COPIES, null));
    add(drafts, draft("Another partition key", Wish.BEST, best));
    add(drafts, draft("Each entity a partition of its own", Wish.OWN_PARTITION, best));
    add(drafts, draft("A partition for each day", Wish.BY_DAY, best));
    drafts.sort(Comparator.comparingDouble(Draft::score));
    List<Proposal> proposals = new ArrayList<>();
    for (Draft draft : drafts.subList(0, Math.min(PROPOSALS_MAX, drafts.size()))) {
      proposals.add(
          new Wording(model, groups, draft.designs).proposal(draft.title, why(drafts, draft)));
    }
    return proposals;
  }

  private static void add(List<Draft> drafts, @Nullable Draft draft) {
    if (draft != null && drafts.stream().noneMatch(other -> isSame(other, draft))) {
      drafts.add(draft);
    }
  }

  private static boolean isSame(Draft one, Draft other) {
    return one.designs.entrySet().stream()
        .allMatch(
            entry -> {
              Candidate same = Objects.requireNonNull(other.designs.get(entry.getKey()));
              return same.keys().equals(entry.getValue().keys())
                  && same.paths().equals(entry.getValue().paths());
            });
  }

  /**
   * Makes a design.
   *
   * @param best the best one, from which this one must differ; null for none
   * @return null if no entity can be stored so
   */
  private @Nullable Draft draft(String title, Wish wish, @Nullable Draft best) {
    Map<EntityType, Candidate> designs = new LinkedHashMap<>();
    boolean differs = best == null;
    for (List<EntityType> group : groups.all()) {
      Map<EntityType, Candidate> found = best(group, wish, best);
      differs |= found != null;
      if (found != null) {
        designs.putAll(found);
      } else if (best != null) {
        group.forEach(
            entity -> designs.put(entity, Objects.requireNonNull(best.designs.get(entity))));
      } else {
        return null;
      }
    }
    double score = designs.values().stream().mapToDouble(Candidate::score).sum();
    return differs ? new Draft(title, designs, score) : null;
  }

  private @Nullable Map<EntityType, Candidate> best(
      List<EntityType> group, Wish wish, @Nullable Draft best) {
    if (group.size() == 1) {
      EntityType entity = group.get(0);
      Set<String> not =
          best == null || wish != Wish.BEST
              ? null
              : Objects.requireNonNull(best.designs.get(entity)).keys().partitionProperties();
      Layout layout = layout(entity);
      boolean asTable = layout.storage() == Storage.LOG && (wish != Wish.BEST || best != null);
      Candidate found =
          new KeyChoice(asTable ? Layout.plain(entity, model.of(entity)) : layout, false)
              .best(wish, null, not);
      return found == null ? null : Map.of(entity, found);
    }
    // Types that share transactions share a partition key: there is nothing else to try.
    boolean asked = wish == Wish.BEST ? best == null : wish == Wish.NO_COPIES;
    return asked ? shared(group, wish) : null;
  }

  private @Nullable Map<EntityType, Candidate> shared(List<EntityType> group, Wish wish) {
    Map<EntityType, Candidate> best = null;
    double bestScore = Double.MAX_VALUE;
    for (Set<String> partition : Groups.common(group)) {
      Map<EntityType, Candidate> found = new LinkedHashMap<>();
      double score = 0;
      for (EntityType entity : group) {
        Candidate candidate = new KeyChoice(layout(entity), true).best(wish, partition, null);
        if (candidate == null) {
          return null;
        }
        found.put(entity, candidate);
        score += candidate.score();
      }
      if (score < bestScore * (1 - 1e-9)) {
        best = found;
        bestScore = score;
      }
    }
    return best;
  }

  private Layout layout(EntityType entity) {
    return Objects.requireNonNull(layouts.get(entity));
  }

  private static String why(List<Draft> ranked, Draft draft) {
    int place = ranked.indexOf(draft);
    double best = Math.max(1e-9, ranked.get(0).score);
    if (place > 0) {
      return isEqual(draft.score, best)
          ? "Costs the same as the first."
          : "Costs " + ratio(draft.score / best) + " the first." + worst(draft);
    }
    String cost = "Costs least: as much as " + Figures.of(draft.score) + " requests each second.";
    return ranked.size() == 1
        ? cost + " No other keys serve these accesses differently."
        : cost
            + (isEqual(ranked.get(1).score, best)
                ? " The next costs the same, but has smaller partitions or begins its key with what"
                    + " the accesses name later: fewer transactions are possible."
                : " The next costs "
                    + Figures.of(ranked.get(1).score)
                    + "."
                    + worst(ranked.get(1)));
  }

  private static boolean isEqual(double one, double other) {
    return Math.abs(one - other) <= 1e-6 * Math.max(one, other);
  }

  private static String ratio(double ratio) {
    return ratio < 1.05 ? "a little more than" : Figures.of(ratio) + " times as much as";
  }

  /** Names the dearest access of a design that scans, or its hot partition. */
  private static String worst(Draft draft) {
    AccessPlan dearest = null;
    for (Candidate candidate : draft.designs.values()) {
      if (candidate.isHot()) {
        return " It has a partition of " + Figures.of(candidate.load()) + " entities each second.";
      }
      for (AccessPlan plan : candidate.plans()) {
        if (dearest == null || plan.costPerSecond() > dearest.costPerSecond()) {
          dearest = plan;
        }
      }
    }
    if (dearest == null || dearest.kind() == null || !dearest.isWasteful()) {
      return "";
    }
    return " There, ‘"
        + dearest.access().text()
        + "’ is a "
        + dearest.kind().text()
        + " of "
        + Figures.of(dearest.read())
        + " entities.";
  }
}
