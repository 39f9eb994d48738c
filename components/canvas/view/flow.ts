/**
 * The only import of React Flow. `reactflow` in package.json is an alias of @xyflow/react 12: the name that the product
 * requires, with the maintained code (11, the last release under the old name, is frozen and shows false warnings in
 * StrictMode). All other code imports from here, so that the next major version changes only this file. `useStore` and
 * `useStoreApi` are left out on purpose, because they re-render on every frame of a drag.
 */
import "reactflow/dist/style.css";

export {
  Background,
  BackgroundVariant,
  BaseEdge,
  ConnectionLineType,
  type Edge,
  type EdgeChange,
  EdgeLabelRenderer,
  type EdgeProps,
  type FinalConnectionState,
  Handle,
  type Node,
  type NodeChange,
  type NodeProps,
  NodeToolbar,
  Position,
  ReactFlow,
  type ReactFlowProps,
  ReactFlowProvider,
  SelectionMode,
  useOnViewportChange,
  useReactFlow,
  ViewportPortal,
} from "reactflow";
