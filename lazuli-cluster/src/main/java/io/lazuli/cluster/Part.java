package io.lazuli.cluster;

/** The kinds of processes, in the order in which they are stopped. */
enum Part {
  LAZULI("lazuli", 256, "io.lazuli.server.cli.Main"),
  REGION_SERVER("regionserver", 400, "org.apache.hadoop.hbase.regionserver.HRegionServer"),
  MASTER("master", 320, "org.apache.hadoop.hbase.master.HMaster"),
  DATA_NODE("datanode", 160, "org.apache.hadoop.hdfs.server.datanode.DataNode"),
  NAME_NODE("namenode", 192, "org.apache.hadoop.hdfs.server.namenode.NameNode"),
  /**
   * The process that also answers questions about the cluster. It has a little more memory for
   * that.
   */
  ZOOKEEPER("zookeeper", 128, "org.apache.hadoop.hbase.zookeeper.HQuorumPeer"),
  /** The key distribution centre of Kerberos. */
  KDC("kdc", 96, "io.lazuli.cluster.role.Kdc");

  final String word;
  final int heapMebibytes;
  final String mainClass;

  Part(String word, int heapMebibytes, String mainClass) {
    this.word = word;
    this.heapMebibytes = heapMebibytes;
    this.mainClass = mainClass;
  }
}
