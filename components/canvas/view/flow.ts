/**
 * The only door to React Flow. `reactflow` in package.json is an alias of @xyflow/react 12: the name the product asks
 * for, the code that is maintained (11, the last release under the old name, is frozen and warns falsely in StrictMode).
 * Everything else imports from here, so that the next major version is a change of this file. `useStore` and
 * `useStoreApi` are left out on purpose: they re-render on every frame of a drag.
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
  getSmoothStepPath,
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
} from "reactflow";
