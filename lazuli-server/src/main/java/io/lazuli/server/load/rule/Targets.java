package io.lazuli.server.load.rule;

/**
 * The rates with which loads are compared.
 *
 * @param partition entities per second
 * @param account requests per second
 * @param partitionSet whether the server refuses what is above it
 */
public record Targets(int partition, int account, boolean partitionSet, boolean accountSet) {
  private static final int AZURE_PARTITION = 2_000;
  private static final int AZURE_ACCOUNT = 20_000;

  /** Makes the targets of a server; 0 for those that are not set, which are Azure's. */
  public static Targets of(int partition, int account) {
    return new Targets(
        partition > 0 ? partition : AZURE_PARTITION,
        account > 0 ? account : AZURE_ACCOUNT,
        partition > 0,
        account > 0);
  }

  String partitionText() {
    return (partitionSet ? "--partition-rate " : "Azure's target, ")
        + Figures.number(partition)
        + " entities/s";
  }
}
