package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.relation.AsyncOneToMany;
import io.lazuli.client.pattern.relation.AsyncOneToOne;
import io.lazuli.client.pattern.relation.OneToMany;
import io.lazuli.client.pattern.relation.OneToOne;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;

/** Teams that count their members, and people with contracts. */
record RelationWorkload(World world) implements Workload {
  private static final List<EntityKey> TEAMS =
      List.of(new EntityKey("Sales", "team_east"), new EntityKey("Sales", "team_west"));

  record Team(@PartitionKey String department, @RowKey String id, long employeeCount) {}

  record Member(@PartitionKey String department, @RowKey String id, String team) {
    EntityKey key() {
      return new EntityKey(department, id);
    }
  }

  record Contract(@PartitionKey String department, @RowKey String id, int salary) {}

  private OneToMany<Team, Member> teams(TestClient client) {
    return AsyncOneToMany.of(
            client.table(world.table()),
            EntityCodec.of(Team.class),
            EntityCodec.of(Member.class),
            "EmployeeCount",
            "empid_",
            Member::team)
        .blocking();
  }

  private OneToOne<Member, Contract> contracts(TestClient client) {
    AsyncTable<Member> people = AsyncTable.of(client.table(world.secondTable()), Member.class);
    return AsyncOneToOne.<Member, Contract>byKey(
            people,
            people.as(EntityCodec.of(Contract.class)),
            key -> new EntityKey(key.partitionKey(), "contract_" + key.rowKey()))
        .blocking();
  }

  @Override
  public void prepare(TestClient live) {
    TEAMS.forEach(key -> teams(live).insertParent(new Team("Sales", key.rowKey(), 0)));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    OneToMany<Team, Member> teams = teams(client);
    OneToOne<Member, Contract> contracts = contracts(client);
    return random -> {
      Member member =
          new Member("Sales", "empid_" + random.nextInt(4), TEAMS.get(random.nextInt(2)).rowKey());
      switch (random.nextInt(6)) {
        case 0, 1 -> journal.attempt("insert", () -> teams.insertChild(member));
        case 2 -> journal.attempt("delete", () -> teams.deleteChildIfExists(member.key()));
        case 3 -> journal.attempt("move", () -> teams.updateChild(member.key(), old -> member));
        case 4 ->
            journal.attempt(
                "hire",
                () ->
                    contracts.insert(member, new Contract("Sales", "contract_" + member.id(), 1)));
        default -> journal.attempt("fire", () -> contracts.deleteIfExists(member.key()));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    OneToMany<Team, Member> teams = teams(live);
    for (EntityKey team : TEAMS) {
      assertThat(teams.count(team))
          .as("the count of %s", team)
          .isEqualTo(Optional.of(teams.children(team).count()));
    }
    List<String> rows =
        AsyncTable.of(live.table(world.secondTable()), Member.class)
            .as(EntityCodec.dynamic())
            .query(Query.all())
            .map(row -> row.getRowKey())
            .toStream()
            .toList();
    List<String> people = rows.stream().filter(row -> row.startsWith("empid_")).toList();
    assertThat(rows.stream().filter(row -> row.startsWith("contract_")))
        .containsExactlyInAnyOrderElementsOf(
            people.stream().map(person -> "contract_" + person).toList());
  }
}
