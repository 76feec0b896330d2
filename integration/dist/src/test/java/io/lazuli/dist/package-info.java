/** Tests what people download, the way they use it: unpacked into an empty folder. */
package io.lazuli.dist;
